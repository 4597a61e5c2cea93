import type { Lang, messages } from '@busbar/contract'
import { isLang } from '../i18n/language.ts'
import { parseOwnPath } from './own-path.ts'

export interface RootSearch {
  lang?: Lang
  client?: 'tv'
}

export interface LoginSearch {
  /** The path of this console that the person wanted to open; undefined: none. */
  to?: string | undefined
}

const listStates = ['alarm', 'warning', 'online', 'service', 'offline'] as const
export type ListState = (typeof listStates)[number]

/** What is open on the device list; the URL always says it. */
export interface ListSearch {
  listType?: 'list' | 'cards'
  /** Id of the machine in the detail pane. */
  machine?: number
  q?: string
  state?: ListState
  group?: number
  sort?: string
  tab?: string
  /** What the history explorer shows: tag ids, and the latest milliseconds or a stretch of time. */
  tags?: readonly number[]
  last?: number
  from?: number
  until?: number
  large?: true
  table?: true
}

export interface VisitSearch {
  /** The machine's page to enter; without it the agent's own. */
  target?: string
}

/** The code a program shows, as it was given. */
export interface DeviceCodeSearch {
  code?: string
}

/** What a report of remote maintenance is of; epoch milliseconds. Without a span it is of the last weeks. */
export interface VisitReportSearch {
  machineId?: number
  from?: number
  to?: number
}

export const administrationTabs = [
  'now',
  'applications',
  'visitors',
  'times',
  'bkeys',
  'blacklist',
  'visits',
  'settings',
] as const
export type AdministrationTab = (typeof administrationTabs)[number]

/** What is open in the administration of a machine. */
export interface AdministrationSearch {
  machineId?: number
  tab?: AdministrationTab
}

export const backOfficeParts = [
  'overview',
  'scada',
  'machines',
  'machineTypes',
  'users',
  'enterprises',
  'brands',
  'outbox',
  'jobs',
  'audit',
] as const
export type BackOfficePart = (typeof backOfficeParts)[number]

/** What is open in the back office. */
export interface BackOfficeSearch {
  part?: BackOfficePart
}

/** What is open on an enterprise's list of devices. */
export interface DeviceSearch {
  /** 1 its own devices, 2 those it maintains. */
  type: 1 | 2
  /** Whose; without it the enterprise one was in last. */
  eid?: number
  group?: number
  /** Id of the machine in the pane. */
  device?: number
}

export const manageTabs = ['members', 'teams', 'groups', 'maintenance', 'settings'] as const
export type ManageTab = (typeof manageTabs)[number]

/** What is open in the administration of an enterprise. */
export interface ManageSearch {
  eid?: number
  tab?: ManageTab
}

/**
 * The tabs of the message centre. It has no tabs for alarms, because alarms are not delivered as messages. The list is
 * written out so that the sign-in page, which reads addresses too, does not load the contract.
 */
export const shownMessageTabs = ['inbox', 'sent', 'device'] as const satisfies readonly messages.MessageTab[]
export type ShownMessageTab = (typeof shownMessageTabs)[number]

/** What is open in the message centre. */
export interface MessageSearch {
  /** Left out: the tab opened last. */
  tab?: ShownMessageTab
  unread?: true
  q?: string
  /** Counted from 1. */
  page?: number
  /** Id of the message in the pane. */
  message?: number
}

type Raw = Record<string, unknown>

const searchTextMax = 200

/** Plain `name=value` pairs both ways, so that addresses read as they were written. */
export function parseSearch(search: string): Raw {
  return Object.fromEntries(new URLSearchParams(search))
}

export function formatSearch(search: Raw): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== '') pairs.set(name, String(value))
  const text = pairs.toString()
  return text ? `?${text}` : ''
}

/* Each keeps what it knows and drops the rest: a wrong address opens its screen, never an error. */

export function rootSearch(raw: Raw): RootSearch {
  return {
    ...(isLang(raw.lang) ? { lang: raw.lang } : {}),
    ...(raw.client === 'tv' ? { client: 'tv' as const } : {}),
  }
}

export function loginSearch(raw: Raw): LoginSearch {
  // Always there: beside a value that is left out, the router keeps the one the address has.
  return { to: parseOwnPath(raw.to) }
}

export function listSearch(raw: Raw): ListSearch {
  const machine = parseId(raw.machine)
  const group = parseId(raw.group)
  const q = text(raw.q)
  const sort = text(raw.sort)
  const tab = text(raw.tab)
  const state = listStates.find((known) => known === raw.state)
  return {
    ...(raw.listType === 'list' || raw.listType === 'cards' ? { listType: raw.listType } : {}),
    ...(machine ? { machine } : {}),
    ...(q ? { q } : {}),
    ...(state ? { state } : {}),
    ...(group ? { group } : {}),
    ...(sort ? { sort } : {}),
    ...(tab ? { tab } : {}),
    ...historySearch(raw),
  }
}

const historyTagsMax = 16

function historySearch(raw: Raw): Pick<ListSearch, 'tags' | 'last' | 'from' | 'until' | 'large' | 'table'> {
  const ids = String(raw.tags ?? '').split(',', historyTagsMax)
  const tags = [...new Set(ids.map(parseId).filter((id) => id !== undefined))]
  const [last, from, until] = [parseId(raw.last), parseId(raw.from), parseId(raw.until)]
  return {
    ...(tags.length > 0 ? { tags } : {}),
    ...(last ? { last } : {}),
    ...(from && until && from < until && !last ? { from, until } : {}),
    ...(isYes(raw.large) ? { large: true } : {}),
    ...(isYes(raw.table) ? { table: true } : {}),
  }
}

const isYes = (value: unknown): boolean => value === true || value === 'true'

export function visitSearch(raw: Raw): VisitSearch {
  const target = text(raw.target)
  return target ? { target } : {}
}

export function deviceCodeSearch(raw: Raw): DeviceCodeSearch {
  const code = text(raw.code)
  return code ? { code } : {}
}

export function visitReportSearch(raw: Raw): VisitReportSearch {
  const [machineId, from, to] = [parseId(raw.machineId), parseId(raw.from), parseId(raw.to)]
  return { ...(machineId ? { machineId } : {}), ...(from && to ? { from, to } : {}) }
}

export function administrationSearch(raw: Raw): AdministrationSearch {
  const machineId = parseId(raw.machineId)
  const tab = administrationTabs.find((known) => known === raw.tab)
  return { ...(machineId ? { machineId } : {}), ...(tab ? { tab } : {}) }
}

export function backOfficeSearch(raw: Raw): BackOfficeSearch {
  const part = backOfficeParts.find((known) => known === raw.part)
  return part ? { part } : {}
}

export function deviceSearch(raw: Raw): DeviceSearch {
  const [eid, group, device] = [parseId(raw.eid), parseId(raw.group), parseId(raw.device)]
  return {
    type: Number(raw.type) === 2 ? 2 : 1,
    ...(eid ? { eid } : {}),
    ...(group ? { group } : {}),
    ...(device ? { device } : {}),
  }
}

export function manageSearch(raw: Raw): ManageSearch {
  const eid = parseId(raw.eid)
  const tab = manageTabs.find((known) => known === raw.tab)
  return { ...(eid ? { eid } : {}), ...(tab ? { tab } : {}) }
}

export function messageSearch(raw: Raw): MessageSearch {
  // A link to a hidden tab opens the inbox and not the tab opened last.
  const tab = shownMessageTabs.find((known) => known === raw.tab) ?? (raw.tab ? 'inbox' : undefined)
  const q = text(raw.q)
  const [page, message] = [parseId(raw.page), parseId(raw.message)]
  return {
    ...(tab ? { tab } : {}),
    ...(isYes(raw.unread) ? { unread: true } : {}),
    ...(q ? { q } : {}),
    ...(page ? { page } : {}),
    ...(message ? { message } : {}),
  }
}

/** The id an address names, or nothing. */
export function parseId(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, searchTextMax) || undefined
    : undefined
}
