import { answerTo } from '../actions';
import { counted, type Detector, isNotice, linksToKind, quote } from './detector';

const saysBlocked =
  /\b(?:tool (?:call|use)|command|action|request|operation|path|access|program)\b[^.\n]{0,60}\b(?:not (?:allowed|permitted|authori[sz]ed)|blocked|forbidden|rejected|disallowed|requires? (?:approval|permission|confirmation))|\b(?:blocked|denied|rejected|refused|declined|forbidden) by (?:the |a |your )?(?:policy|permission|user|sandbox|allow ?list|deny ?list|rules?|guard|hook|configuration)|\buser (?:rejected|denied|declined|doesn't want)|\b(?:not (?:in|on)|outside) (?:the )?(?:allow(?:ed)?|permitted|approved)[ -]?(?:list|commands|paths|tools)?\b|\bpermission (?:was )?(?:denied|required) (?:by|for) (?:the )?(?:policy|user|tool|command)/i;

/** Calls that a permission or a policy stopped. One that the model gets around is how it should be. */
export const permissionBlock: Detector = {
  id: 'permission-block',
  why: 'permission_block',
  unitKinds: ['permission', 'exec_boundary', 'tool_dispatch', 'tool_shell', 'config_defaults'],
  soleKinds: ['permission'],
  party: 'harness',
  detect(view) {
    const blocked = view.turns.flatMap((turn) =>
      turn.calls.flatMap((call) => {
        const answer = answerTo(turn, call);
        if (!answer || !isNotice(answer)) return [];
        const said = saysBlocked.test(answer.text);
        return said || (answer.isError && linksToKind(view, answer.step, 'permission')) ? [{ call, answer }] : [];
      }),
    );
    const [first] = blocked;
    if (!first || (blocked.length < 2 && view.run.outcome.verdict === 'pass')) return [];
    return [
      {
        steps: [...new Set(blocked.map(({ answer }) => answer.step))],
        explanation: `${counted(blocked.length, 'call')} of ${first.call.name} ${blocked.length === 1 ? 'was' : 'were'} stopped by a permission: ${quote(first.answer.text)}.`,
        confidence: blocked.length > 1 ? 0.85 : 0.6,
        partyReason: 'what is allowed is decided by the harness and its configuration',
      },
    ];
  },
};
