import { isDeepStrictEqual } from 'node:util'
import { type tagSettings as contract, type InputOf, type TagSettings, tagLimits } from '@busbar/contract'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { Slices } from '../../kernel/slices.ts'
import { changeRights, type RightsChange, type RightsDeps, requireReadWrite } from '../access/index.ts'
import { faultOf, type TagState, type Telemetry } from '../telemetry/index.ts'
import { readTags, type TagLine } from './tag-csv.ts'

export interface TagSettingsDeps {
  readonly rights: RightsDeps
  readonly telemetry: Pick<Telemetry, 'listTagStates' | 'readSettings' | 'replaceSettings' | 'describe'>
}

type Change = Omit<InputOf<typeof contract.setTag>, 'machineId' | 'tagId'>

/** A tag that gets other settings. */
interface Changed {
  readonly tag: TagState
  readonly before: TagSettings
  readonly settings: TagSettings
}

/** Number of tags whose former settings the audit log includes; others are only counted. */
const auditedMax = 50

/**
 * Changes the settings that a machine's keys make for one of its tags. Throws 404 for a tag that is not a current one,
 * GIVER_READ_ONLY, and the faults of settings.
 */
export function updateTag(
  deps: TagSettingsDeps,
  caller: Caller,
  machineId: number,
  tagId: number,
  change: Change,
): Promise<void> {
  return changeTag(deps, caller, { machineId, tagId }, (before) => merge(before, change))
}

/** Tells that a tag's meter was replaced, or, without the readings, that it was not. Throws as `updateTag`. */
export function setReset(
  deps: TagSettingsDeps,
  caller: Caller,
  of: { readonly machineId: number; readonly tagId: number },
  at: number,
  readings?: { readonly from: number; readonly to: number },
): Promise<void> {
  return changeTag(deps, caller, of, (before) => {
    const others = (before.resets ?? []).filter((one) => one.at !== at)
    if (!readings && others.length === (before.resets ?? []).length) throw new Failure('404')
    const resets = readings
      ? [...others, { at, ...readings }].sort((one, other) => one.at - other.at)
      : others
    if (resets.length > tagLimits.tagResetsMax) throw new Failure('TAG_RESETS_MANY')
    return merge(before, { resets: resets.length > 0 ? resets : null })
  })
}

async function changeTag(
  { rights, telemetry }: TagSettingsDeps,
  caller: Caller,
  { machineId, tagId }: { readonly machineId: number; readonly tagId: number },
  change: (before: TagSettings) => TagSettings,
): Promise<void> {
  const tags = await telemetry.listTagStates(machineId)
  await changeRights(rights, { ...caller, right: 'bkey+' }, machineId, async (scope) => {
    requireReadWrite(scope)
    const tag = tags.find(({ id }) => id === tagId)
    if (!tag) throw new Failure('404')
    const before = (await telemetry.readSettings(scope.trx, machineId)).of(tag) ?? {}
    const settings = change(before)
    const found = faultOf(settings, tag)
    if (found) throw refuse(found, tag)
    if (!isDeepStrictEqual(settings, before))
      await store(telemetry, scope, [{ tag, before, settings }], caller.now)
  })
  // Other processes follow the fact; here the answer is not given before.
  await telemetry.describe(machineId)
}

/** The outcome of a file's lines for the settings that a machine's tags have. */
interface ImportPlan {
  readonly changed: readonly (Changed & { readonly line: number })[]
  readonly unchanged: number
  readonly refused: contract.TagImport['refused']
}

/**
 * Reads a file and, with `apply`, makes its changes if none of its lines is refused. The answer lists the changes
 * either way. Throws GIVER_READ_ONLY, TAG_FILE_UNREADABLE, TAG_FILE_TOO_LONG.
 */
export async function importFile(
  { rights, telemetry }: TagSettingsDeps,
  caller: Caller,
  machineId: number,
  csv: string,
  apply: boolean,
): Promise<contract.TagImport> {
  const lines = await readTags(csv, await telemetry.listTagStates(machineId))
  if (lines === undefined) throw new Failure('TAG_FILE_UNREADABLE')
  if (!apply)
    return presentPlan(await planImport(lines, await telemetry.readSettings(rights.db, machineId)), false)
  const answer = await changeRights(rights, { ...caller, right: 'bkey+' }, machineId, async (scope) => {
    requireReadWrite(scope)
    const plan = await planImport(lines, await telemetry.readSettings(scope.trx, machineId))
    const applied = plan.refused.length === 0
    if (applied && plan.changed.length > 0) await store(telemetry, scope, plan.changed, caller.now)
    return presentPlan(plan, applied)
  })
  if (answer.applied) await telemetry.describe(machineId)
  return answer
}

async function planImport(
  lines: readonly TagLine[],
  known: Awaited<ReturnType<Telemetry['readSettings']>>,
): Promise<ImportPlan> {
  const slices = new Slices()
  const refused: contract.TagImport['refused'] = []
  const changed: (Changed & { readonly line: number })[] = []
  for (const one of lines) {
    await slices.next()
    if ('reason' in one) {
      refused.push(one)
      continue
    }
    const { line, tag, wish } = one
    const before = known.of(tag) ?? {}
    const settings = merge(before, wish)
    const found = faultOf(settings, tag)
    if (found) refused.push({ line, reason: found.fault, column: found.field })
    else if (!isDeepStrictEqual(settings, before)) changed.push({ line, tag, before, settings })
  }
  return { changed, unchanged: lines.length - changed.length - refused.length, refused }
}

const presentPlan = ({ changed, unchanged, refused }: ImportPlan, applied: boolean): contract.TagImport => ({
  applied,
  changes: changed.length,
  unchanged,
  faults: refused.length,
  changed: changed.slice(0, tagLimits.tagFileLinesTold).map(({ line, tag, before, settings }) => ({
    line,
    tagId: tag.id,
    before,
    after: settings,
  })),
  refused: refused.slice(0, tagLimits.tagFileLinesTold),
})

/** Null: without this setting. */
type Merged = { readonly [Field in keyof TagSettings]?: TagSettings[Field] | null }

function merge(settings: TagSettings, wish: Merged): TagSettings {
  const merged = { ...settings, ...wish }
  const kept = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(kept) as TagSettings
}

async function store(
  telemetry: TagSettingsDeps['telemetry'],
  { trx, machineId, record }: RightsChange,
  changed: readonly Changed[],
  now: number,
): Promise<void> {
  await telemetry.replaceSettings(
    trx,
    machineId,
    changed.map(({ tag: { group, name }, settings }) => ({ group, name, settings })),
    new Date(now),
  )
  const switched = (to: boolean) =>
    changed.filter(
      ({ before, settings }) => (settings.writable === true) === to && (before.writable === true) !== to,
    ).length
  const words = changed.slice(0, auditedMax).map(({ tag, before, settings }) => ({
    tag: tag.group === '' ? tag.name : `${tag.group}/${tag.name}`,
    from: before,
    to: settings,
  }))
  await record(
    { kind: 'machine.tagsDescribed', tags: changed.length, opened: switched(true), closed: switched(false) },
    { words: { changed: words } },
  )
}

/** The fault with the tag's name, and for limits with the machine's own. */
function refuse({ fault, field }: NonNullable<ReturnType<typeof faultOf>>, tag: TagState): Failure {
  const { min, max } = tag.meta
  if (fault !== 'TAG_LIMITS_DEVICE') return new Failure(fault, { field })
  const own = { cn: `${min ?? '−∞'} 至 ${max ?? '+∞'}`, en: `${min ?? '−∞'} to ${max ?? '+∞'}` }
  return new Failure(fault, {
    field,
    data: { min, max },
    text: {
      cn: `上下限不能超出设备的范围（${own.cn}）`,
      en: `Limits can’t be outside the range of the device (${own.en})`,
    },
  })
}
