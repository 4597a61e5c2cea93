import { type projects as contract, projectLimits } from '@busbar/contract'

/** The facts that the database has about a machine of a project. */
export interface LinkFacts {
  /** Why its rows have ended; null: they have not. */
  readonly stop: contract.LinkStop | null
  /** A person's project, or one of an enterprise that is active and has projects. */
  readonly isOpen: boolean
  /** Reporting is on, and no operator stopped it. */
  readonly isReporting: boolean
  /** The person who stands for it, as an account: `away` while it is locked or to be deleted, `gone` afterwards. */
  readonly person: 'active' | 'away' | 'gone'
  /** They accepted the invitation and, in an enterprise's project, belong to the enterprise. */
  readonly isMember: boolean
  /** It is a device of the enterprise of the project's type; a person's project takes any machine. */
  readonly isDevice: boolean
  /** The person has a key of it, or the right in its enterprise that equals one. */
  readonly hasKey: boolean
}

/** A machine of a project now: whether the project has it at all, whether its rows go out, and why they ended. */
export interface LinkState {
  /** Writing, visits and rows are possible. */
  readonly isHeld: boolean
  /** Rows go out. */
  readonly isReporting: boolean
  readonly stop: contract.LinkStop | null
}

/**
 * The only decision about a machine of a project. A link that an operator or an account's own state suspends goes on
 * by itself afterwards; a right or a membership that was lost ends the link until a member takes it over
 * (rules/projects.md: machines).
 */
export function decideLink(facts: LinkFacts): LinkState {
  const stop = facts.stop ?? findStop(facts)
  const isHeld = stop === null && facts.isOpen && facts.person === 'active'
  return { isHeld, isReporting: isHeld && facts.isReporting, stop }
}

function findStop({ isOpen, person, isMember, isDevice, hasKey }: LinkFacts): contract.LinkStop | null {
  if (person === 'gone') return 'memberLeft'
  if (!isOpen || person === 'away') return null
  if (!isMember) return 'memberLeft'
  return isDevice && hasKey ? null : 'rightLost'
}

/** Names that a browser's policy can list (CSP, 2.3.1). */
const listedName = /^[a-z\d-]+(?:\.[a-z\d-]+)*$/

/**
 * An origin in the form browsers send it; undefined for a path, a wildcard, an address instead of a name, or another
 * scheme than https.
 */
export function parseOrigin(text: string): string | undefined {
  if (!/^https:\/\/[^/?#@*\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, hostname } = new URL(text)
  const isAddress = /^[\d.]+$/.test(hostname)
  return listedName.test(hostname) && !isAddress ? origin : undefined
}

const dayMs = 86_400_000
/** Intervals that a project is offered, in seconds. */
const intervals = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600]

/** The first instants of the month of a quota and of the next one. */
export function monthOf(now: number): { readonly from: number; readonly to: number } {
  const at = new Date(now)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) }
}

/** The day of a month in the form of a column. */
export const monthKey = (now: number): string => new Date(monthOf(now).from).toISOString().slice(0, 10)

export interface Usage {
  /** Rows of the month so far, and the most it may have. */
  readonly rows: number
  readonly rowsMax: number
  /** Rows of the last 24 hours. */
  readonly perDay: number
  readonly machines: number
  readonly everyS: number
}

/**
 * When the quota ends at the rate of the last 24 hours, and the shortest interval that makes it last; null for one that
 * lasts, and where no interval helps.
 */
export function forecast(
  { rows, rowsMax, perDay, machines, everyS }: Usage,
  now: number,
): { readonly endsAt: number | null; readonly lastingEveryS: number | null } {
  const leftMs = monthOf(now).to - now
  const left = Math.max(0, rowsMax - rows)
  if (perDay * (leftMs / dayMs) <= left) return { endsAt: null, lastingEveryS: null }
  // With "each change" the mean distance between two rows of a machine is the interval to begin with.
  const presentS = everyS || (machines * dayMs) / 1_000 / perDay
  const neededS = (presentS * perDay * (leftMs / dayMs)) / left
  return {
    endsAt: Math.round(now + (left / perDay) * dayMs),
    lastingEveryS: intervals.find((interval) => interval >= neededS) ?? null,
  }
}

export const rowsMaxOf = (machines: number): number => machines * projectLimits.rowsPerMachine

const levels = [80, 95, 100] as const
export type QuotaLevel = (typeof levels)[number]

/** The part of a quota that is reached and was not told yet; undefined: none. */
export function levelReached(rows: number, rowsMax: number, told: number): QuotaLevel | undefined {
  return levels.findLast((level) => level > told && rowsMax > 0 && rows * 100 >= rowsMax * level)
}
