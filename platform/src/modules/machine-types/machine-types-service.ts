import { type operator as contract, findTypeRule, limits, readCodePattern } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { requireUploads } from '../uploads/index.ts'
import * as store from './machine-types-store.ts'

/**
 * Adds a type at its place; answers its id. Within the caller's transaction.
 * @throws Failure MACHINE_TYPE_TAKEN, MACHINE_TYPES_FULL, PICTURE_UNKNOWN
 * See rules/machines.md: machine types.
 */
export async function createType(db: store.Db, fields: contract.MachineTypeFields): Promise<number> {
  await store.lockTypes(db)
  const types = await store.listTypes(db)
  if (types.length >= limits.machineTypesMax) throw new Failure('MACHINE_TYPES_FULL')
  await check(db, types, fields)
  const id = await store.createType(db, normalise(fields))
  await store.setPlaces(db, placeAt(types, id, fields.place))
  return id
}

/**
 * Changes all of a type. Otherwise as `createType`.
 * @throws Failure also 404
 */
export async function updateType(
  db: store.Db,
  id: number,
  fields: contract.MachineTypeFields,
): Promise<void> {
  await store.lockTypes(db)
  const types = await store.listTypes(db)
  if (!types.some((type) => type.id === id)) throw new Failure('404')
  const others = types.filter((type) => type.id !== id)
  await check(db, others, fields)
  await store.updateType(db, id, normalise(fields))
  await store.setPlaces(db, placeAt(others, id, fields.place))
}

/**
 * Removes a type; returns its name. Within the caller's transaction.
 * @throws Failure 404
 */
export async function removeType(db: store.Db, id: number): Promise<string> {
  await store.lockTypes(db)
  const types = await store.listTypes(db)
  const removed = types.find((type) => type.id === id)
  if (!removed) throw new Failure('404')
  await store.removeType(db, id)
  await store.setPlaces(
    db,
    types.filter((type) => type !== removed).map((type) => type.id),
  )
  return removed.name.en
}

/** The type of a machine with this code, and the rule that decided; an unregistered code may have one too. */
export async function findTypeOfCode(db: store.Db, code: string) {
  const registered = await store.findRegisteredType(db, code)
  const found = findTypeRule(await store.listTypes(db), { code, type: registered ?? '' })
  return { found, registered }
}

async function check(
  db: store.Db,
  others: readonly store.TypeRow[],
  fields: contract.MachineTypeFields,
): Promise<void> {
  if (others.some(({ type }) => type === fields.type)) throw new Failure('MACHINE_TYPE_TAKEN')
  if (fields.picture.startsWith('/uploads/')) await requireUploads(db, 'machineType', [fields.picture])
}

/** The ids in order, with one at its place, or behind the last. */
function placeAt(others: readonly { readonly id: number }[], id: number, place: number): number[] {
  const ids = others.map((type) => type.id)
  ids.splice(place - 1, 0, id)
  return ids
}

function normalise(fields: contract.MachineTypeFields): contract.MachineTypeFields {
  const pattern = readCodePattern(fields.pattern)
  return { ...fields, pattern: 'wrong' in pattern ? '' : pattern.text }
}
