import { iccidKey, iccidPattern, type SimState } from '@busbar/contract'
import { z } from 'zod'
import { ProviderFailed } from '../../../kernel/outgoing-http/ask-json.ts'
import { cleanText } from '../../../kernel/storable-text.ts'

/** Pages of one list; no account has so many cards, so a list that goes on has no end. */
const pagesMax = 10_000

/** A text as it can be stored and shown; whatever is missing is empty. */
export const text = (unitsMax: number) =>
  z
    .string()
    .nullish()
    .transform((told) => cleanText((told ?? '').slice(0, unitsMax)).trim())

/** Of a state. */
export const word = text(64)
/** MSISDN and IMEI. */
export const digits = text(32)

export const iccid = z
  .string()
  .transform((told) => told.trim().toUpperCase())
  .pipe(z.string().regex(iccidPattern))

export const bytes = z.number().min(0).max(Number.MAX_SAFE_INTEGER)

/** The bytes of so many megabytes, told as a number or a text. */
export const megabytes = (bytesOfOne: number) =>
  z
    .union([z.number(), z.string().regex(/^\d{1,16}(\.\d{1,16})?$/)])
    .transform((told) => Math.round(Number(told) * bytesOfOne))
    .pipe(bytes)

/** `2016-06-29 00:21:33.339+0000`, `2020-01-31T16:00:00.000Z` */
const instantPattern = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:Z|([+-]\d\d):?(\d\d))$/

/** Epoch milliseconds; null where it is missing or has another form. */
export const instant = z.unknown().transform((told) => {
  const [, day, time, hours = '+00', minutes = '00'] =
    (typeof told === 'string' && instantPattern.exec(told)) || []
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${hours}:${minutes}`)
  return Number.isNaN(at) ? null : at
})

export const stateOf = (states: Readonly<Record<string, SimState>>, told: string): SimState =>
  (Object.hasOwn(states, told) ? states[told] : undefined) ?? 'unknown'

/**
 * The entries that have the form: one strange card keeps no other from being read.
 * @throws ProviderFailed where none of them has it, which is another answer than the documented one
 */
export function readEntries<Entry extends z.ZodType>(
  list: readonly unknown[],
  entry: Entry,
): z.output<Entry>[] {
  const entries = list.flatMap((told) => {
    const read = entry.safeParse(told)
    return read.success ? [read.data] : []
  })
  if (list.length > 0 && entries.length === 0)
    throw new ProviderFailed('wrongAnswer', `${list.length} entries of another form`)
  return entries
}

/** The first entry of each card that was asked for, with its ICCID as it was asked for. */
export function pickAsked<Entry extends { readonly iccid: string }>(
  asked: readonly string[],
  entries: readonly Entry[],
): Entry[] {
  const forms = new Map(asked.map((form) => [iccidKey(form), form]))
  return entries.flatMap((entry) => {
    const key = iccidKey(entry.iccid)
    const form = forms.get(key)
    forms.delete(key)
    return form === undefined ? [] : [{ ...entry, iccid: form }]
  })
}

/**
 * The page after this one; null after the last.
 * @throws ProviderFailed where there are too many
 */
export function pageAfter(page: number, isLast: boolean): string | null {
  if (isLast) return null
  if (page >= pagesMax) throw new ProviderFailed('wrongAnswer', `more than ${pagesMax} pages`)
  return String(page + 1)
}

/** The answer about a card; undefined where the carrier says that it does not know it. */
export async function unlessUnknown<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ProviderFailed && error.status === 404) return undefined
    throw error
  }
}
