import { createHash } from 'node:crypto'
import { type ToldCell, type ToldWifi, toldSignalsMax } from '@busbar/link'
import { z } from 'zod'

const signalDbm = z.number().min(-200).max(0)
const area = z.int().min(0).max(0xff_ff_ff)
const cell = z
  .object({
    radio: z.enum(['gsm', 'wcdma', 'lte', 'nr']),
    mcc: z.int().min(1).max(999),
    mnc: z.int().min(0).max(999),
    lac: area.optional(),
    tac: area.optional(),
    cellId: z
      .int()
      .min(0)
      .max(2 ** 28 - 1)
      .optional(),
    nci: z
      .int()
      .min(0)
      .max(2 ** 36 - 1)
      .optional(),
    signalDbm: signalDbm.optional(),
    serving: z.boolean().optional(),
  })
  .refine(({ lac, tac, cellId, nci }) => (lac ?? tac) !== undefined && (cellId ?? nci) !== undefined)
const wifi = z.object({
  mac: z
    .string()
    .regex(/^([0-9a-f]{2}[:-]?){5}[0-9a-f]{2}$/i)
    .transform((mac) => (mac.toLowerCase().match(/[0-9a-f]{2}/g) ?? []).join(':')),
  signalDbm,
  ssid: z.string().max(32).optional(),
})

/** The cells that a machine told, the one in use first, then the strongest; what has another form is left out. */
export function readCells(told: unknown): ToldCell[] {
  return readList(told, cell)
    .sort(
      (a, b) =>
        Number(b.serving ?? false) - Number(a.serving ?? false) ||
        (b.signalDbm ?? -Infinity) - (a.signalDbm ?? -Infinity) ||
        0,
    )
    .slice(0, toldSignalsMax.cells)
}

/** The access points that a machine told, each once, the strongest first. */
export function readWifi(told: unknown): ToldWifi[] {
  const seen = new Set<string>()
  return readList(told, wifi)
    .sort((a, b) => b.signalDbm - a.signalDbm)
    .filter(({ mac }) => !seen.has(mac) && seen.add(mac))
    .slice(0, toldSignalsMax.wifi)
}

/** A list, or its JSON text. */
function readList<Entry extends z.ZodType>(told: unknown, entry: Entry): z.output<Entry>[] {
  const list = typeof told === 'string' ? parseJson(told) : told
  if (!Array.isArray(list)) return []
  return list.flatMap((value) => {
    const read = entry.safeParse(value)
    return read.success ? [read.data] : []
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return
  }
}

const deviceDigits = 15

/** Fifteen digits for services that tell machines apart, always the same for a machine. */
export function deviceOf(machineId: string): string {
  const hash = createHash('sha256').update(`place:${machineId}`).digest('hex')
  return BigInt(`0x${hash}`).toString().slice(-deviceDigits)
}
