import type { visits } from '@busbar/contract'
import type { Embedding } from './embedding.ts'
import type { PageVisit } from './page-visit.ts'
import type { PortCount, PortReach } from './visit-ports.ts'

/** A resource that is open only as long as its visit: a proxied request, a WebSocket of its page. */
export interface VisitStream {
  /** Ends it at once on both ends; nothing passes afterwards. */
  cut(reason: visits.VisitEndReason): void
  /** Its visit ends at an instant: without a byte until then, or in any case. */
  warn?(reason: 'idle' | 'timeUp', at: number): void
}

/** A visit as the visit host sees it at a request; read anew at each. */
export interface OpenVisit {
  readonly visitId: number
  readonly machineId: number
  readonly userId: number
  readonly userName: string
  readonly lang: 'cn' | 'en'
  readonly target: string
  /** Undefined of a visit of a page. */
  readonly reach: PortReach | undefined
  /** The mode of its next request: rw only with the right and the machine's controller. */
  readonly mode: visits.VisitMode
  /**
   * Whether its page can be made read-only. If not, nothing passes in mode ro: somebody else is in control, or the
   * visitor has read-only access.
   */
  readonly canWatch: boolean | undefined
  /** When it ends at the latest, epoch milliseconds. */
  readonly until: number
  /** Of a visit in the page of a project's portal. */
  readonly embedding: Embedding | undefined
  /**
   * Holds a stream under this visit. Undefined when it has as many as it may (32); undefined and cut at once when it
   * may not be open any more. `mode` is the mode that the stream was opened with: one opened with rw is cut when the
   * visit becomes read-only. The returned handle counts and releases.
   */
  hold(stream: VisitStream, mode: visits.VisitMode): VisitHold | undefined
  /** Counts what passed at a port; bytes count for the visit as well by its hold. */
  countPort(count: Pick<PortCount, 'name' | 'kind'> & Partial<PortCount>): void
}

/** A held stream's account. */
export interface VisitHold {
  /** Bytes from the visitor to the machine. A request other than GET and every frame is a sign of life. */
  sent(bytes: number): void
  received(bytes: number): void
  /** Something a person did: the idle clock starts anew. */
  active(): void
  release(): void
  /** Whether a piece may pass now: false from a stall of this process until rights were read. Cheap. */
  mayPass(): boolean
  /** Resolves when pieces may pass again; false when the stream may not go on. */
  whenMayPass(): Promise<boolean>
}

/** The reason why a cookie has no visit. */
export type NoVisit =
  /** An unknown cookie, or one of another host. */
  | 'unknown'
  /** The process cannot see the rights just now: nothing new is admitted. */
  | 'blind'
  | { readonly ended: visits.VisitEndReason; readonly lang: 'cn' | 'en' }

/** The visits of machines' ports, for the sockets of their streams. */
export interface PortVisits {
  /** A ticket for one line of a visit's streams, for one use within 60 s. */
  createTicket(visitId: number, mode: visits.VisitMode, now: number): Promise<string>
  /** The visit of a ticket, which is used up, and the mode that its person asked for. */
  enter(ticket: string, now: number): Promise<{ visit: OpenVisit; mode: visits.VisitMode } | NoVisit>
}

/** The session that requests a visit. */
export interface VisitCaller {
  readonly userId: number
  readonly sessionId: number
  readonly address: string
  readonly now: number
}

/** The visits for the visit host. */
export interface VisitPort {
  /**
   * The visit of a cookie on a host. From memory where it is known; the right was decided when it last changed, and its
   * end is checked against the clock, so that a right lost never passes.
   */
  find(cookie: string, host: string, now: number): Promise<OpenVisit | NoVisit>
  /** Whether a cookie is one that this process has given or found. */
  isKnown(cookie: string): boolean
  /** Makes a one-use code of 60 s for a visit, bound to the visit host and the browser's state. */
  createCode(visitId: number, host: string, state: string, now: number): Promise<string>
  /**
   * The result of a swap without using the code up: the data of the last visitor must be cleared before the cookie is
   * set, and clearing cookies would delete those of the person's other visits.
   */
  peekCode(
    code: string,
    host: string,
    state: string,
    now: number,
  ): Promise<{ visitId: number; hasOtherVisits: boolean } | undefined>
  /** Whether the session of a cookie's visit has other live visits: clearing cookies would take theirs too. */
  hasOtherVisits(cookie: string, host: string): Promise<boolean>
  /** Swaps a code for a cookie, once; undefined when the code is not for this host and state, used or too old. */
  swapCode(
    code: string,
    host: string,
    state: string,
    now: number,
  ): Promise<{ cookie: string; visitId: number; hasOtherVisits: boolean } | undefined>
  /**
   * The caller's live visit of a machine's target, or a new one; for a person who pressed for it. `path` is where its page
   * opens, `/` by default. Throws the failures of `openVisit`.
   */
  open(
    caller: VisitCaller,
    machineId: number,
    target: string,
    path?: string,
  ): Promise<{ visitId: number; mode: visits.VisitMode; until: number }>
  /**
   * The session's live visit of a machine's target that a person opened by a click, and when; does not open or take
   * anything.
   */
  findAsked(
    caller: VisitCaller,
    machineId: number,
    target: string,
  ): Promise<{ visitId: number; askedAt: number } | undefined>
  /** The mode of a visit to come, with the caller's name for the machine. Throws why they cannot; opens nothing. */
  findWayIn(caller: VisitCaller, machineId: number): Promise<{ name: string; mode: visits.VisitMode }>
  /** The path at which a visit's page opens, from its last click. */
  findAskedPath(visitId: number): Promise<string>
  /** The visit's next navigation to a path, within a minute, is the platform's own. */
  markPath(visitId: number, path: string, now: number): Promise<void>
  /** Whether a navigation was marked; a mark serves once. */
  takeMark(visitId: number, path: string, now: number): Promise<boolean>
  /** The visit as the agent's own page shows it. */
  describe(visit: OpenVisit, now: number): Promise<PageVisit>
  /** Takes the machine's controller for a visit, or asks its holder; from the visit's own page. Throws 404. */
  takeControl(visit: OpenVisit, now: number): Promise<void>
  /**
   * Opens the visit of a project's one-use code on its host, or leads into the visit that it is for; `again` is the code
   * for another tab. Undefined for a code that is used, too old, or of another host. Throws the failures of `openVisit`.
   */
  enterEmbedded(
    code: string,
    host: string,
    from: { readonly address: string; readonly now: number },
  ): Promise<{ readonly cookie: string; readonly visitId: number; readonly again: string } | undefined>
  /** Ends a visit from its own page. */
  leave(visitId: number, now: number): Promise<void>
}
