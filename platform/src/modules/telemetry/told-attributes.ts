import { isDeepStrictEqual } from 'node:util'
import { type Database, withClient } from '../../kernel/database/database.ts'
import { cleanDeep, isStorableName, showName } from '../../kernel/storable-text.ts'
import { mergeAttributes, type ToldAttributes, tellsPlace } from '../machine-register/index.ts'
import type { CommitBatch, CommitOutcome } from './commit-batch.ts'

import { type AttributesRecord, type UplinkRecord, uplinkLimits } from './uplink-record.ts'

/** Machines in one statement: the facts of each have up to 16 kB. */
const machinesPerStatement = 500

/** Other transactions hold the rows of machines. */
export class MachinesHeld extends Error {
  override name = 'MachinesHeld'
}

/** The attributes of a message as they are stored. */
export interface StorableAttributes {
  /** None or one. */
  readonly records: readonly AttributesRecord[]
  /** Those that cannot be stored, by their names in a readable form. */
  readonly refused: readonly string[]
  /** Names of those that lost characters. */
  readonly cleaned: readonly string[]
}

/** Undefined for a message without attributes. */
export function storableAttributes(records: readonly UplinkRecord[]): StorableAttributes | undefined {
  const told = records.filter((record) => record.kind === 'attributes')
  if (told.length === 0) return undefined
  const kept: [string, AttributesRecord['attributes'][string]][] = []
  const refused: string[] = []
  const cleaned: string[] = []
  for (const [name, value] of told.flatMap(({ attributes }) => Object.entries(attributes))) {
    const isStorable = isStorableName(name, uplinkLimits.attributeNameBytesMax)
    if (!isStorable || isDeeper(value, uplinkLimits.attributeDepthMax)) {
      refused.push(showName(name))
      continue
    }
    const clean = cleanDeep(value) as typeof value
    kept.push([name, clean])
    if (!isDeepStrictEqual(clean, value)) cleaned.push(name)
  }
  const stored =
    kept.length > 0 ? [{ kind: 'attributes', attributes: Object.fromEntries(kept) } as const] : []
  return { records: stored, refused, cleaned }
}

/** Whether objects and lists are nested deeper: the database and whoever reads them go into each. */
function isDeeper(value: unknown, depthMax: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depthMax === 0 || Object.values(value).some((inner) => isDeeper(inner, depthMax - 1))
}

/**
 * Without the messages that a later one of the same machine says all anew: everybody waits for the statements of a machine
 * that tells its position a thousand times a second.
 */
function withoutOutdated(told: readonly ToldAttributes[]): ToldAttributes[] {
  const saidLater = new Map<number, Set<string>>()
  const isNews = ({ machineId, attributes }: ToldAttributes): boolean => {
    const said = saidLater.get(machineId) ?? new Set()
    saidLater.set(machineId, said)
    const before = said.size
    for (const name of Object.keys(attributes)) said.add(name)
    return said.size > before
  }
  return told.toReversed().filter(isNews).toReversed()
}

/**
 * Writes the attributes of entries that have nothing else. The rows of the machines are compared in the same statement: a
 * birth after a reconnection tells nothing new, and nothing is written. Throws `MachinesHeld` if some are not written; a
 * further try finds the others known. `toldPlace` is called after a commit of something about a machine's place.
 */
export async function commitAttributes(
  db: Database,
  { entries }: Pick<CommitBatch, 'entries'>,
  toldPlace: () => void,
): Promise<CommitOutcome> {
  let told: readonly ToldAttributes[] = withoutOutdated(
    entries.flatMap(({ machineId, receivedAt, records }) =>
      records.flatMap((record) =>
        record.kind === 'attributes' ? { machineId, receivedAt, attributes: record.attributes } : [],
      ),
    ),
  )
  const held: number[] = []
  while (told.length > 0) {
    // One of each machine at a time, in their order: the limit of a machine's size is checked with each.
    const firsts = new Map(told.toReversed().map((one) => [one.machineId, one]))
    const now = [...firsts.values()].slice(0, machinesPerStatement)
    held.push(...(await withClient(db, (client) => mergeAttributes(client, now))))
    if (now.some(tellsPlace)) toldPlace()
    const written = new Set(now)
    told = told.filter((one) => !written.has(one))
  }
  if (held.length > 0) throw new MachinesHeld(`other transactions hold the machines ${held.join()}`)
  return { refused: new Map(), unfinished: new Set() }
}
