import { z } from 'zod';
import { CompareHead, ComparePair } from '../../../webview/shared/compareProtocol';
import {
  BodyPart,
  Choice,
  OutlineEntry,
  RawStep,
  RowFilter,
  StepImage,
  TraceRow,
} from '../../../webview/shared/traceProtocol';
import { Finding, FlawRecord, SkippedRun } from '../../core/diagnosis/model';
import { BehaviourMap, SiteState } from '../../core/handbook/model';
import { ModelConfig } from '../../core/harness';
import { SiteTouches } from '../../core/links/model';
import { GateResult, Hunk, HunkState, Proposal, Review } from '../../core/proposals/model';
import { Step, TraceRun, UnknownFile } from '../../core/traces/model';
import { RunManifest, Split, Trial, Verdict } from '../../core/validation/model';

/** The model to use, with the key as the host found it; keys live in memory only. */
export const ModelChoice = ModelConfig.extend({ apiKey: z.string().optional() });
export type ModelChoice = z.infer<typeof ModelChoice>;

/** What the host needs to know of a harness before it is indexed. */
export const HarnessHead = z.object({
  root: z.string(),
  name: z.string(),
  configFile: z.string().nullable(),
  suites: z.array(z.object({ name: z.string(), tasks: z.array(z.string()), trials: z.int() })),
  model: ModelConfig.nullable(),
  applyTo: z.enum(['branch', 'workingTree']),
});
export type HarnessHead = z.infer<typeof HarnessHead>;

export const Catalog = z.object({ runs: z.array(TraceRun), unknown: z.array(UnknownFile) });
export type Catalog = z.infer<typeof Catalog>;

/** Everything that needs links of all runs; computed in one pass. */
export const Diagnosis = z.object({
  touches: z.array(SiteTouches),
  findings: z.array(Finding),
  flaws: z.array(FlawRecord),
  skipped: z.array(SkippedRun),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

export const HunkView = Hunk.extend({
  state: HunkState,
  /** Why it is stale or was rejected. */
  reason: z.string().optional(),
  /** The person typed into it on the right side. */
  edited: z.boolean().optional(),
  /** What stands in the file where a conflicting hunk should go; line from 1. */
  conflict: z.object({ line: z.int(), text: z.string() }).optional(),
  /** Line of the file as it is now; null where the hunk has no place in it. */
  line: z.int().nullable(),
});
export type HunkView = z.infer<typeof HunkView>;

/** A proposal as the review shows it: hunks with their states. `problem` says why hunks are missing. */
export const ProposalView = z.object({
  proposal: Proposal,
  review: Review,
  hunks: z.array(HunkView),
  problem: z.string().nullable(),
  /** The gates on what is accepted so far; null when that is nothing or all of it. */
  partGates: z.array(GateResult).nullable().optional(),
});
export type ProposalView = z.infer<typeof ProposalView>;

const placed = { file: z.string(), symbol: z.string(), start: z.int(), end: z.int() };

export const LocateView = z.object({
  request: z.string(),
  /** Units with the reasons why they fit; the map of the host has the rest. */
  units: z.array(z.object({ unit: z.string(), score: z.number(), reasons: z.array(z.string()) })),
  sites: z.array(z.object({ ...placed, score: z.number(), reason: z.string(), state: SiteState })),
  alsoLookAt: z.array(z.object({ file: z.string(), line: z.int(), reason: z.string() })),
  /** Values the request takes for granted, with what the source says. */
  premises: z.array(
    z.object({ mention: z.string(), found: z.boolean(), value: z.string(), file: z.string(), line: z.int() }),
  ),
});
export type LocateView = z.infer<typeof LocateView>;

/** Tokens and US dollars of the steps that lead to a unit; null where no step recorded any. */
export const UnitCost = z.object({
  unit: z.string(),
  steps: z.int(),
  tokens: z.number().nullable(),
  costUsd: z.number().nullable(),
});
export type UnitCost = z.infer<typeof UnitCost>;

const unit = z.string();

/** What a person changes about the handbook; null gives back what was derived. */
export const HandbookEdit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rename'), unit, title: z.string().nullable() }),
  z.object({ kind: z.literal('describe'), unit, description: z.string().nullable() }),
  z.object({ kind: z.literal('pin'), unit, pinned: z.boolean() }),
  z.object({ kind: z.literal('move'), unit, stage: z.string().nullable() }),
  z.object({ kind: z.literal('merge'), unit, into: z.string() }),
  z.object({ kind: z.literal('separate'), key: z.string() }),
  z.object({ kind: z.literal('removeOrphan'), key: z.string() }),
]);
export type HandbookEdit = z.infer<typeof HandbookEdit>;

const root = z.string();
const nothing = z.null();
/** Texts of files that are changed in an editor and not saved, by path relative to the root. */
const unsaved = z.record(z.string(), z.string()).optional();

/** What a proposal is asked for. */
export const ProposalSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('flaw'), flaw: z.string(), request: z.string().optional() }),
  z.object({ kind: z.literal('request'), request: z.string() }),
  z.object({ kind: z.literal('unit'), unit: z.string(), request: z.string() }),
  z.object({ kind: z.literal('selection'), file: z.string(), start: z.int(), end: z.int(), request: z.string() }),
  z.object({ kind: z.literal('revision'), proposal: z.string(), hunks: z.array(z.int()), comment: z.string() }),
]);
export type ProposalSubject = z.infer<typeof ProposalSubject>;

const asked = { root, subject: ProposalSubject, model: ModelChoice, module: z.string().optional(), unsaved };

/** What the worker can do. One entry a method: the shape of its parameters and of its result. */
/** A run among the others of its suite; see `historyOf`. */
const HistoryRow = z.object({
  run: z.string(),
  createdAt: z.string(),
  state: RunManifest.shape.state,
  split: Split.nullable(),
  proposal: z.string().nullable(),
  noise: z.boolean(),
  verdict: Verdict.shape.verdict.nullable(),
  difference: z.number().nullable(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  override: z.string().nullable(),
  parent: z.string().nullable(),
  arms: z.array(
    z.object({
      arm: z.enum(['baseline', 'candidate']),
      label: z.string(),
      tree: z.string(),
      score: z.number(),
      usd: z.number().nullable(),
      tokens: z.number().nullable(),
    }),
  ),
});

export const methods = {
  openHarness: { params: z.object({ root }), result: HarnessHead },
  createConfiguration: { params: z.object({ root }), result: z.string() },
  /** Makes a folder a git repository with one commit; false where git is missing. */
  startRepository: { params: z.object({ root }), result: z.boolean() },
  buildHandbook: {
    /**
     * `known` is the fingerprint of the map the caller has already; `saved` names the only files that were saved since
     * the last time, where that is known.
     */
    params: z.object({ root, known: z.string().nullable(), saved: z.array(z.string()).optional() }),
    /** The map is null when it is the known one, so that it is neither sent nor checked again. */
    result: z.object({
      map: BehaviourMap.nullable(),
      fingerprint: z.string(),
      seconds: z.number(),
      parsed: z.int(),
      files: z.int(),
    }),
  },
  /** Path of the page of a unit, or of the whole handbook, among the pages. */
  handbookPage: { params: z.object({ root, unit: z.string().nullable() }), result: z.string() },
  /** Text of a page; null when the handbook has no such page any more. `base` leads to the source, see `pageLinks`. */
  handbookPageText: {
    params: z.object({ root, path: z.string(), base: z.string() }),
    result: z.string().nullable(),
  },
  /** Sites of these files whose text is no longer where or what it was when it was indexed. */
  siteStates: {
    params: z.object({ root, files: z.array(z.string()) }),
    result: z.array(z.object({ file: z.string(), start: z.int(), end: z.int(), state: SiteState })),
  },
  /** What the steps that lead to each unit used, over all runs of the catalog; units without any are left out. */
  unitCosts: { params: z.object({ root }), result: z.array(UnitCost) },
  editHandbook: { params: z.object({ root, edit: HandbookEdit }), result: nothing },
  /** What was taken back, in words; null when there was nothing. */
  undoHandbookEdit: { params: z.object({ root }), result: z.string().nullable() },
  locate: { params: z.object({ root, request: z.string(), limit: z.int() }), result: LocateView },

  loadCatalog: { params: z.object({ root }), result: Catalog },
  importTraces: { params: z.object({ root, paths: z.array(z.string()) }), result: Catalog },
  readTraceFile: { params: z.object({ file: z.string() }), result: Catalog },
  diagnose: { params: z.object({ root }), result: Diagnosis },
  openRun: { params: z.object({ run: TraceRun }), result: z.object({ stepCount: z.int() }) },
  /** Takes in what was added to the file of an open run; `settle` reads a followed one again to its very end. */
  growRun: {
    params: z.object({ run: TraceRun, settle: z.boolean() }),
    result: z.object({ state: z.enum(['same', 'grew']), stepCount: z.int() }),
  },
  closeRun: { params: z.object({ run: z.string() }), result: nothing },
  rows: {
    params: z.object({ root: root.nullable(), run: z.string(), from: z.int(), to: z.int() }),
    result: z.array(TraceRow),
  },
  /** Works out what the steps of a run have to do with each other; its rows have it then. */
  relate: { params: z.object({ run: z.string() }), result: nothing },
  stepLinks: {
    params: z.object({ root, run: z.string(), step: z.int() }),
    result: z.array(
      z.object({ file: z.string(), start: z.int(), end: z.int(), symbol: z.string(), reason: z.string() }),
    ),
  },
  stepBody: {
    params: z.object({ run: z.string(), step: z.int() }),
    result: z.object({ parts: z.array(BodyPart), images: z.int() }),
  },
  stepRaw: { params: z.object({ run: z.string(), step: z.int() }), result: RawStep },
  wholeStep: { params: z.object({ run: z.string(), step: z.int() }), result: Step },
  /** One image of a step, from 0; null when it has none of this number. */
  stepImage: { params: z.object({ run: z.string(), step: z.int(), index: z.int() }), result: StepImage.nullable() },
  /** The step as a text to paste. */
  stepText: {
    params: z.object({ run: z.string(), step: z.int(), as: z.enum(['markdown', 'json', 'text']) }),
    result: z.string(),
  },
  /** Looks through steps `from` to `to`: those that pass the filter, and those of them that have a hit. */
  findSteps: {
    params: z.object({ root: root.nullable(), run: z.string(), filter: RowFilter, from: z.int(), to: z.int() }),
    result: z.object({ steps: z.array(z.int()), hits: z.array(z.int()) }),
  },
  /** What going once through all steps tells. */
  outline: {
    params: z.object({ run: z.string() }),
    result: z.object({ entries: z.array(OutlineEntry), tools: z.array(Choice), errors: z.array(z.int()) }),
  },
  /** Lays two open runs beside each other. */
  alignRuns: {
    params: z.object({ left: z.string(), right: z.string() }),
    result: z.object({
      sentence: z.string(),
      divergence: CompareHead.shape.divergence,
      pairs: z.array(ComparePair),
    }),
  },
  /** The text to compare a step by, and of which earlier step; null when there is none before it. */
  promptBefore: { params: z.object({ run: z.string(), step: z.int() }), result: z.int().nullable() },
  /** Units that steps of the run lead to. */
  runUnits: { params: z.object({ root: root.nullable(), run: z.string() }), result: z.array(Choice) },
  runFindings: { params: z.object({ root: root.nullable(), run: z.string() }), result: z.array(Finding) },

  listProposals: { params: z.object({ root, unsaved }), result: z.array(ProposalView) },
  proposalTexts: {
    params: z.object({ root, proposal: z.string(), file: z.string() }),
    result: z.object({ base: z.string().nullable(), proposed: z.string().nullable() }),
  },
  saveEdited: {
    params: z.object({ root, proposal: z.string(), file: z.string(), text: z.string() }),
    result: nothing,
  },
  decideHunks: {
    params: z.object({
      root,
      proposal: z.string(),
      hunks: z.array(z.int()),
      state: z.enum(['accepted', 'rejected', 'open']),
      by: z.string(),
      reason: z.string().optional(),
    }),
    result: nothing,
  },
  applyProposal: {
    params: z.object({ root, proposal: z.string(), target: z.enum(['branch', 'workingTree']), by: z.string() }),
    result: z.object({
      target: z.string(),
      files: z.array(z.string()),
      /** Accepted hunks that were not written because their text changed meanwhile. */
      left: z.array(z.object({ number: z.int(), file: z.string(), reason: z.string() })),
    }),
  },
  /** How the accepted hunks change the files as they are now, one step a decision, for the editor to carry out. */
  planApply: {
    params: z.object({ root, proposal: z.string(), unsaved }),
    result: z.object({
      decisions: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          files: z.array(
            z.object({
              file: z.string(),
              action: z.enum(['replace', 'create', 'delete']),
              changes: z.array(z.object({ start: z.int(), end: z.int(), newText: z.string() })),
            }),
          ),
        }),
      ),
      files: z.array(z.object({ file: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
      hunks: z.array(z.int()),
      left: z.array(z.object({ number: z.int(), file: z.string(), reason: z.string() })),
      exact: z.boolean(),
    }),
  },
  /** Enters what the editor wrote by a plan. */
  recordApply: {
    params: z.object({
      root,
      proposal: z.string(),
      hunks: z.array(z.int()),
      files: z.array(
        z.object({
          file: z.string(),
          before: z.string().nullable(),
          after: z.string().nullable(),
          mode: z.int().nullable(),
        }),
      ),
      by: z.string(),
    }),
    result: nothing,
  },
  undoProposal: {
    params: z.object({ root, proposal: z.string(), by: z.string() }),
    result: z.object({ files: z.array(z.string()) }),
  },
  /** Text of a proposal for other tools. */
  exportProposal: {
    params: z.object({ root, proposal: z.string(), format: z.enum(['diff', 'change_manifest', 'plan']) }),
    result: z.string(),
  },
  /** Makes a proposal of a patch file or of a branch. */
  importProposal: {
    params: z.object({ root, from: z.enum(['file', 'branch']), source: z.string(), by: z.string() }),
    result: Proposal,
  },
  /** Local branches that the present one has not got, newest first. */
  otherBranches: { params: z.object({ root }), result: z.array(z.string()) },
  /** What a model would be sent, to the letter, and what it may cost. */
  proposalContext: {
    params: z.object({ ...asked, count: z.int().optional() }),
    result: z.object({ text: z.string(), summary: z.string(), sendsNothing: z.boolean() }),
  },
  propose: {
    params: z.object({ ...asked, count: z.int().optional() }),
    result: z.object({
      proposals: z.array(Proposal),
      noChange: z.string().nullable(),
      missing: z.array(z.string()),
      /** What the requests used, in words. */
      spent: z.string(),
    }),
  },

  createRun: {
    params: z.object({
      root,
      suite: z.string(),
      /** Null runs the baseline against itself, which shows the noise. */
      proposal: z.string().nullable(),
      trials: z.int().nullable(),
      /** A part of the suite's tasks; null for all. */
      tasks: z.array(z.string()).nullable(),
    }),
    result: RunManifest,
  },
  /** Asks whoever carries the run out to stop, in whatever process. */
  cancelRun: { params: z.object({ root, run: z.string() }), result: nothing },
  listRuns: { params: z.object({ root }), result: z.array(RunManifest) },
  /** The runs of a suite with verdicts, costs and lineage, newest first. */
  runHistory: { params: z.object({ root, suite: z.string() }), result: z.array(HistoryRow) },
  /** Records that a person goes against the verdict of a run. */
  overrideRun: { params: z.object({ root, run: z.string(), reason: z.string() }), result: nothing },
  /** Plans more repeats of a finished run. */
  extendRun: { params: z.object({ root, run: z.string(), repeats: z.int() }), result: nothing },
  /** A run written down; with `against`, the comparison of that run with it. */
  writeReport: {
    params: z.object({
      root,
      run: z.string(),
      against: z.string().nullable(),
      format: z.enum(['md', 'csv', 'json', 'html', 'junit']),
    }),
    result: z.string(),
  },
  judgeRun: {
    params: z.object({ root, run: z.string() }),
    result: z.object({
      manifest: RunManifest,
      trials: z.array(Trial),
      /** While the run is under way, of the trials so far. */
      verdict: Verdict.nullable(),
      /** Process that carries it out at this moment, on this machine. */
      runner: z.int().nullable(),
      folder: z.string(),
    }),
  },
} as const;

export type MethodName = keyof typeof methods;
export type Params<M extends MethodName> = z.infer<(typeof methods)[M]['params']>;
export type Result<M extends MethodName> = z.infer<(typeof methods)[M]['result']>;
