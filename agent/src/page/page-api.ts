/** The messages between the page's script and the agent: JSON under `api/`, relative to the page. */

export type ValueQuality = 'good' | 'uncertain' | 'stale' | 'bad'

/** A whole number beyond 2^53 is a text of digits. */
export type WireValue = boolean | number | string | null

/** Tag, value, quality, and when it was read (epoch ms). */
export type ValueView = [tag: number, value: WireValue, quality: ValueQuality, at: number]

/** One name for every language, or separate names for some. */
export interface NameView {
  any?: string
  cn?: string
  en?: string
}

export interface TagView {
  group: string
  name: string
  displayName: NameView
  kind: 'number' | 'bool' | 'text'
  /** A number without decimals, sent as a text of digits if it may be wider than 2^53. */
  whole: boolean
  wide: boolean
  unit: string
  /** Decimal places to show; null shows all. */
  scale: number | null
  min: number | null
  max: number | null
  /** The amount that one press of + or − adds. */
  step: number
  writable: boolean
  keyTag: boolean
  /** It stands for an alarm and is shown among those. */
  alarm: boolean
  /** It is gone from the configuration while the agent ran: its number stays its own, and nothing shows it. */
  removed?: boolean
}

/**
 * Whether the viewer may write, and if not, why: the visit only watches, or this port was opened only for
 * watching.
 */
export interface ModeView {
  mode: 'rw' | 'ro'
  reason: 'visit' | 'local' | null
}

/** GET api/page: what changes with the configuration only, and the mode. */
export interface PageView extends ModeView {
  code: string
  model: string
  /** Open in a visit, about which the platform answers at another address of the same host. */
  visit: boolean
  connections: string[]
  tags: TagView[]
}

/** GET /.busbar/visit, and POST /.busbar/control: the platform's state of the visit. Instants in epoch ms. */
export interface VisitView {
  /** The machine's name for the visitor. */
  machine: string
  mode: 'rw' | 'ro'
  /** When the visit ends at the latest, by the platform's clock. */
  until: number
  /** The platform's clock. */
  now: number
  /** Whether control is granted as soon as it is requested. */
  mayTake: boolean
  /** Whether they ask for it. */
  asks: boolean
  controller: { me: boolean; name: string; since: number } | null
}

export interface AlarmView {
  tag: number
  id: string
  level: 'critical' | 'major' | 'minor' | 'info'
  text: NameView
  /** Epoch ms; null if it was raised before the agent first read it. */
  since: number | null
}

/** The changing part: the state of each connection in the order of `PageView.connections`, and the alarms that are raised. */
export interface StateView {
  connections: ('online' | 'offline' | 'unknown')[]
  alarms: AlarmView[]
}

/** GET api/values, and the first event of every stream. */
export interface SnapshotView extends StateView {
  /** The agent's clock, epoch ms: the page measures everything with this one. */
  now: number
  values: ValueView[]
}

/** GET api/trend?tags=3,5: the last hour, oldest first; null where nothing good was read. */
export interface TrendView {
  /** The end of the last point, epoch ms. */
  now: number
  stepMs: number
  series: { tag: number; min: (number | null)[]; max: (number | null)[] }[]
}

/** POST api/write. */
export interface WriteRequest {
  tag: number
  value: boolean | number | string
}

/** Its answer; the same goes to every open page as an event. */
export interface WriteView {
  tag: number
  state: 'confirmed' | 'failed'
  /** The controller's current value; null if it could not be read. */
  kept: WireValue
  /** The controller's own words; empty if it had none. */
  reason: string
}

export type PageErrorCode =
  | 'notFound'
  | 'method'
  | 'crossSite'
  | 'ended'
  | 'watching'
  | 'notJson'
  | 'tooLarge'
  | 'badRequest'
  | 'tooOften'
  | 'tooMany'
  | 'unknownTag'
  | 'readOnly'
  | 'type'
  | 'range'
  | 'offline'
  | 'busy'

export interface ErrorView {
  error: PageErrorCode
}

/** The events of GET api/events, by name. */
export interface PageEvents {
  snapshot: SnapshotView
  values: ValueView[]
  state: StateView
  write: WriteView
  /** Every 15 s, so that a dead line is noticed. */
  beat: { now: number }
}
