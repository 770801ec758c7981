import type { GraphEdge, GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import type { Classified } from './candidates';
import { librarySteps } from './librarySteps';
import type { FoundLoop } from './loops';
import { hopCost, isFunction, type Reach } from './reach';
import {
  conditionOf,
  guardKind,
  handlerKind,
  loopHeadEnd,
  loopHeadLimit,
  type RegionKind,
  shortened,
  textKind,
} from './regionKinds';
import type { Sources } from './sources';
import { bodyStart, type Statement, statementsOf } from './statements';
import { callKinds, contains, dispatchesIn, found, isCounter, isNearer, owner, plain } from './stepParts';
import { isDispatch } from './suspects';

/** One region of the loop or of a function it runs through, in run order. */
export interface Step {
  kind: UnitKind;
  node: GraphNode;
  start: number;
  end: number;
  detail: string;
  reason: string;
  /** Set when the step is a whole function that the loop runs through; its regions follow. */
  whole?: boolean;
  phase: 'before' | 'loop' | 'after';
}

const [maximumSteps, maximumDepth] = [90, 4];

export interface StepInput {
  graph: ProgramGraph;
  reach: Reach;
  sources: Sources;
  kinds: ReadonlyMap<string, Classified>;
}

/**
 * The ordered steps of a loop: its statements, typed by what they call and do. Functions of the same class or file that
 * lead to the model or to execution are entered, so a step that hides the whole turn is cut up as well.
 */
export function loopSteps(loop: FoundLoop, input: StepInput): Step[] {
  const walk = new Walk(loop, input);
  const lines = input.sources.lines(loop.node.file);
  const body = statementsOf(lines, bodyStart(loop.node, lines), loop.node.end);
  walk.visit(body, loop.node, 0);
  return walk.steps;
}

class Walk {
  readonly steps: Step[] = [];
  private readonly entered = new Set<string>();
  private phase: Step['phase'] = 'before';
  /** Somewhere the loop hands the actions on by a call that says so; what merely leads to a process is none then. */
  private readonly dispatches: boolean;

  constructor(
    private readonly loop: FoundLoop,
    private readonly input: StepInput,
  ) {
    this.entered.add(loop.node.id);
    this.dispatches = dispatchesIn(loop, input);
  }

  visit(statements: readonly Statement[], node: GraphNode, depth: number): void {
    for (const statement of statements) {
      if (this.steps.length >= maximumSteps) return;
      if (node === this.loop.node && !(this.loop.shape === 'self' || this.loop.shape === 'events'))
        this.phase = this.phaseOf(statement);
      else if (this.loop.shape === 'self' || this.loop.shape === 'events') this.phase = 'loop';
      this.visitOne(statement, node, depth);
    }
  }

  private phaseOf(statement: Statement): Step['phase'] {
    if (statement.end < this.loop.start) return 'before';
    // What follows a library's loop is done once a request, and often starts the next.
    return statement.start > this.loop.end && this.loop.shape !== 'library' ? 'after' : 'loop';
  }

  private visitOne(statement: Statement, node: GraphNode, depth: number): void {
    if (
      this.loop.shape === 'library' &&
      node === this.loop.node &&
      statement.start <= this.loop.start &&
      this.loop.start <= statement.end &&
      statement.clauses.length === 0
    ) {
      this.steps.push(...librarySteps(this.loop, this.input));
      return;
    }
    if (this.isAroundLoop(statement, node)) {
      const lines = this.input.sources.lines(node.file);
      this.visit(statementsOf(lines, statement.start + 1, statement.end), node, depth);
      return;
    }
    const text = this.input.sources.text(node.file, statement.start, statement.end);
    if (/^(?:"""|'''|\/\*|"[^"]*"$)/.test(statement.header)) return;
    // What is defined here runs where it is called.
    if (/^(?:@|(?:export\s+)?(?:async\s+)?(?:def|class|function)\b)/.test(statement.header)) return;
    const calls = this.callsIn(node, statement);
    const leads = calls.some((edge) => this.leadsOn(edge)) || this.boundaryIn(node, statement) !== undefined;
    if (statement.clauses.length > 0 || /^if\b/.test(statement.header)) {
      const guard = leads ? undefined : guardKind(statement, text);
      if (guard) {
        this.push(statement, node, this.leavesLoop(guard, node, text) ? guard : { ...guard, kind: 'loop_step' });
        return;
      }
      const size = statement.end - statement.start;
      if (
        statement.clauses.length > 0 &&
        (leads || size > 4 || statement.clauses.length > 1 || this.holdsLoop(statement, node))
      ) {
        this.visitClauses(statement, node, depth);
        return;
      }
    }
    this.visitSimple(statement, node, depth, text, calls);
  }

  /** In a called function a `return` ends the call, not the loop; unless it says that the work is done. */
  private leavesLoop(guard: RegionKind, node: GraphNode, text: string): boolean {
    if (guard.kind !== 'termination' || node === this.loop.node) return true;
    return /\b(?:raise|throw|exit)\b|finish|done|stop|submit|complete|terminat/i.test(text);
  }

  private visitClauses(statement: Statement, node: GraphNode, depth: number): void {
    const header = conditionOf(this.input.sources.text(node.file, statement.start, statement.end));
    const head = /^\s*(?:async\s+)?(?:for|while)\b/.test(header) ? loopHeadLimit(header.trim()) : undefined;
    const bound = head ?? (node === this.loop.node ? loopHeadEnd(statement.header) : undefined);
    if (bound && this.phase === 'loop') this.push({ ...statement, end: statement.start }, node, bound);
    for (const clause of statement.clauses) {
      const text = this.input.sources.text(node.file, clause.start, clause.end);
      const handler = handlerKind(clause.header, text);
      const leaves = handler && this.leavesLoop(handler, node, text);
      if (handler)
        this.push(
          { ...statement, start: clause.start, end: clause.end },
          node,
          leaves ? handler : { ...handler, kind: 'loop_step' },
        );
      else this.visit(clause.body, node, depth);
    }
  }

  private visitSimple(
    statement: Statement,
    node: GraphNode,
    depth: number,
    text: string,
    calls: readonly GraphEdge[],
  ): void {
    const boundary = this.boundaryIn(node, statement);
    if (boundary) {
      this.push(statement, node, boundary);
      return;
    }
    let entered = false;
    for (const edge of calls) {
      if (!this.leadsOn(edge)) continue;
      const callee = this.input.graph.node(edge.to) as GraphNode;
      if (depth >= maximumDepth || this.entered.has(callee.id)) continue;
      if (!this.belongsToLoop(callee) && !this.isPartOfTurn(edge)) continue;
      entered = true;
      this.enter(callee, statement, node, edge, depth);
    }
    if (entered) return;
    // The last line of a function that the loop runs through only hands its value back.
    if (
      node !== this.loop.node &&
      calls.length === 0 &&
      /^(?:return|break|continue|case|default)\b/.test(statement.header)
    )
      return;
    const toBoundary = this.kindByReach(calls, statement);
    const known = toBoundary ?? this.kindByCall(calls) ?? textKind(text, statement.header) ?? plain(statement);
    this.push(
      statement,
      node,
      this.phase === 'after' && known.kind === 'termination' ? { ...known, kind: 'loop_step' } : known,
    );
  }

  /** A function the loop runs through becomes a step of its own, then its statements follow. */
  private enter(callee: GraphNode, statement: Statement, node: GraphNode, edge: GraphEdge, depth: number): void {
    this.entered.add(callee.id);
    const kind = this.throughKind(callee);
    this.steps.push({
      kind,
      node: callee,
      start: callee.start,
      end: callee.end,
      whole: true,
      phase: this.phase,
      detail: callee.qualname,
      reason: `called in the loop: \`${shortened(edge.text ?? callee.name)}\` (${node.file}:${statement.start})`,
    });
    const lines = this.input.sources.lines(callee.file);
    this.visit(statementsOf(lines, bodyStart(callee, lines), callee.end), callee, depth + 1);
  }

  /** By which boundary is nearer; a function that goes to both by different calls is a whole turn. */
  private throughKind(callee: GraphNode): UnitKind {
    const { reach } = this.input;
    const model = reach.model.get(callee.id);
    const execution = reach.execution.get(callee.id);
    const dispatch = this.isAction(callee.name) ? 'tool_dispatch' : 'loop_step';
    if (model === undefined) return dispatch;
    if (execution === undefined) return 'model_call';
    const calls = reach.calls(callee.id).filter((edge) => edge.certain !== false || edge.kind === 'calls');
    const toModel = calls.filter((edge) => reach.model.has(edge.to) && !isNearer(edge, 'execution', reach));
    const toExecution = calls.filter((edge) => reach.execution.has(edge.to) && !isNearer(edge, 'model', reach));
    if (toModel.length > 0 && toExecution.length > 0 && Math.abs(model - execution) < 5) return 'loop_step';
    return model < execution ? 'model_call' : dispatch;
  }

  /** Whether a call that leads to an execution is the dispatch: in the loop, and by its text or name if some call says so. */
  private isAction(text: string, callee?: string): boolean {
    if (this.phase !== 'loop') return false;
    if (!this.dispatches || isDispatch(text) || isDispatch(`${text}(`)) return true;
    return callee !== undefined && this.input.kinds.get(callee)?.kind === 'tool_dispatch';
  }

  private callsIn(node: GraphNode, range: { start: number; end: number }): GraphEdge[] {
    const calls = this.input.reach
      .calls(node.id)
      .filter((edge) => edge.kind === 'calls' && edge.line >= range.start && edge.line <= range.end);
    // Arguments run before the call that takes them.
    return calls
      .map((edge, index) => ({
        edge,
        index,
        depth: calls.filter((other) => other !== edge && contains(other, edge)).length,
      }))
      .sort(
        (a, b) => (a.edge.line === b.edge.line ? b.depth - a.depth : a.edge.line - b.edge.line) || a.index - b.index,
      )
      .map((item) => item.edge);
  }

  private leadsOn(edge: GraphEdge): boolean {
    const { reach, graph } = this.input;
    if (!isFunction(graph.node(edge.to))) return false;
    return reach.model.has(edge.to) || reach.execution.has(edge.to);
  }

  /** A call in the loop that leads to both; not the dispatch, whose tools may ask a model of their own. */
  private isPartOfTurn({ to, certain, text = '' }: GraphEdge): boolean {
    const { model, execution } = this.input.reach;
    return this.phase === 'loop' && certain !== false && model.has(to) && execution.has(to) && !isDispatch(text);
  }

  private belongsToLoop(callee: GraphNode): boolean {
    const { node } = this.loop;
    return callee.file === node.file || owner(callee) === owner(node);
  }

  private boundaryIn(node: GraphNode, range: { start: number; end: number }): RegionKind | undefined {
    const { reach } = this.input;
    const inside = (line: number): boolean => line >= range.start && line <= range.end;
    const model = reach.modelSites.get(node.id)?.find((edge) => inside(edge.line));
    if (model) return found('model_call', model.text ?? model.to);
    const execution = reach.executionSites.get(node.id)?.find((edge) => inside(edge.line));
    if (execution) return found('exec_boundary', execution.text ?? execution.to);
    const suspect = reach.suspects.get(node.id)?.find((call) => inside(call.line));
    if (suspect) return found(suspect.kind === 'execution' ? 'tool_dispatch' : 'model_call', suspect.text);
    return undefined;
  }

  private kindByReach(calls: readonly GraphEdge[], statement: Statement): RegionKind | undefined {
    const { reach } = this.input;
    let best: { kind: UnitKind; cost: number; edge: GraphEdge } | undefined;
    for (const edge of calls) {
      for (const [kind, costs] of [
        ['model_call', reach.model],
        ['tool_dispatch', reach.execution],
      ] as const) {
        const cost = costs.get(edge.to);
        if (cost !== undefined && (!best || cost + hopCost(edge) < best.cost))
          best = { kind, cost: cost + hopCost(edge), edge };
      }
    }
    if (!best) return undefined;
    const handed = this.phase === 'loop' ? calls.find((edge) => isDispatch(edge.text ?? '')) : undefined;
    if (handed && best.cost > 4) return found('tool_dispatch', handed.text ?? statement.header);
    const named = this.kindByCall(calls);
    if (best.kind === 'tool_dispatch' && !this.isAction(best.edge.text ?? '', best.edge.to)) return named;
    // A helper that happens to lead on is what its name says.
    if (named && best.cost > 4) return named;
    return found(best.kind, best.edge.text ?? statement.header);
  }

  private kindByCall(calls: readonly GraphEdge[]): RegionKind | undefined {
    let best: { rank: number; region: RegionKind } | undefined;
    for (const edge of calls) {
      const kind = this.input.kinds.get(edge.to);
      const rank = kind && kind.strength >= 1 ? callKinds.indexOf(kind.kind) : -1;
      if (!kind || rank === -1 || (best && best.rank <= rank)) continue;
      const text = shortened(edge.text ?? edge.to);
      best = {
        rank,
        region: { kind: kind.kind, detail: this.input.graph.node(edge.to)?.name ?? text, reason: `calls \`${text}\`` },
      };
    }
    return best?.region;
  }

  /** A call that is handed the function in which the rounds turn. */
  private isAroundLoop(statement: Statement, node: GraphNode): boolean {
    if (this.loop.shape !== 'loop' || statement.clauses.length > 0) return false;
    return statement.start < this.loop.start && this.holdsLoop(statement, node);
  }

  private holdsLoop(statement: Statement, node: GraphNode): boolean {
    return node === this.loop.node && statement.start <= this.loop.start && this.loop.end <= statement.end;
  }

  private push(range: { start: number; end: number }, node: GraphNode, region: RegionKind): void {
    // Of the functions the loop runs through, only what has a name of its own is worth a step.
    if (region.kind === 'loop_step' && node !== this.loop.node && this.phase === 'loop' && !isCounter(region)) return;
    const last = this.steps.at(-1);
    const joins =
      last &&
      !last.whole &&
      last.node === node &&
      last.kind === region.kind &&
      last.phase === this.phase &&
      range.start - last.end <= 3;
    if (joins && (region.kind === 'loop_step' || range.start - last.end <= 1)) {
      last.end = Math.max(last.end, range.end);
      if (region.kind === 'limits' && !last.detail.includes(region.detail)) last.detail += `, ${region.detail}`;
      return;
    }
    this.steps.push({
      kind: region.kind,
      node,
      start: range.start,
      end: range.end,
      detail: region.detail,
      phase: this.phase,
      reason: `${region.reason} (${node.file}:${range.start})`,
    });
  }
}
