import { type retention as contract, type InputOf, type Text, timing } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { detailOf, lockSpace, requireEdit, requireRight, spaceOfCall } from '../spaces/index.ts'
import { type Kept, keptDays } from '../telemetry/index.ts'
import { type KeptFrom, listOfSpace, replaceOfSpace } from './retention-store.ts'

export interface RetentionDeps {
  readonly db: Database
  /** The operator's bound. */
  readonly rawDaysMax: number
}

const fields = ['rawDays', 'minuteDays', 'hourDays'] as const
type Field = (typeof fields)[number]

/** The names of the data, as a text about its deletion has them. */
const names: Readonly<Record<Field, Text>> = {
  rawDays: { cn: '原始数据', en: 'raw values' },
  minuteDays: { cn: '分钟平均值', en: 'minute averages' },
  hourDays: { cn: '小时平均值', en: 'hourly averages' },
}

const daysOf = ({ rawDays, minuteDays, hourDays }: Kept): Kept => ({ rawDays, minuteDays, hourDays })
const pick = (choose: (field: Field) => number): Kept => ({
  rawDays: choose('rawDays'),
  minuteDays: choose('minuteDays'),
  hourDays: choose('hourDays'),
})

/** The retention of a person's, or an enterprise's, values. Throws 403 for a person who is not a member. */
export async function getRetention(
  { db, rawDaysMax }: RetentionDeps,
  userId: number,
  eid: number | undefined,
  now: number,
): Promise<contract.Retention> {
  const space = spaceOfCall(userId, eid)
  await requireRight(db, userId, space)
  const { current, next } = readWishes(await listOfSpace(db, space, rawDaysMax), now)
  return {
    ...daysOf(current),
    next: next ? { ...daysOf(next), effectiveAt: next.effectiveAt.getTime() } : null,
  }
}

/**
 * Sets the retention of a person's, or an enterprise's, values; omitted fields stay. Longer ones take effect at once,
 * shorter ones after a day in which they can be cancelled. Throws 403, RETENTION_TOO_LONG, RETENTION_ORDER,
 * RETENTION_CONFIRM.
 */
export async function setRetention(
  { db, rawDaysMax }: RetentionDeps,
  actor: Actor,
  { eid, confirm, ...input }: InputOf<typeof contract.setRetention>,
): Promise<void> {
  const { userId } = actor.user
  const space = spaceOfCall(userId, eid)
  await requireEdit(db, userId, space, 'admin')
  const now = new Date(actor.now)
  await withTransaction(db, async (trx) => {
    await lockSpace(trx, space)
    const { current, next } = readWishes(await listOfSpace(trx, space, rawDaysMax), actor.now)
    const before: Kept = next ?? current
    const wish = pick((field) => input[field] ?? before[field])
    if (wish.rawDays > rawDaysMax)
      throw new Failure('RETENTION_TOO_LONG', {
        text: {
          cn: `本平台的原始数据最多保留 ${rawDaysMax} 天`,
          en: `This platform keeps raw values for up to ${rawDaysMax} days`,
        },
      })
    if (wish.minuteDays < wish.rawDays || wish.hourDays < wish.minuteDays)
      throw new Failure('RETENTION_ORDER')
    // Shorter than the present or a planned one.
    const shorter = fields.filter((field) => wish[field] < before[field])
    if (shorter.length > 0 && confirm !== true) throw refuseShorter(wish, shorter)
    const wanted: KeptFrom[] = [
      { ...pick((field) => Math.max(wish[field], current[field])), effectiveAt: now },
    ]
    if (fields.some((field) => wish[field] < current[field]))
      wanted.push({
        ...wish,
        effectiveAt:
          next && shorter.length === 0 ? next.effectiveAt : new Date(actor.now + timing.retentionDelayMs),
      })
    await replaceOfSpace(trx, space, wanted, now)
    await auditAct(trx, actor, {
      action: eid === undefined ? 'user.retention' : 'enterprise.retention',
      target: String(eid ?? userId),
      detail: { ...detailOf(space), ...wish, effectiveAt: wanted.at(-1)?.effectiveAt },
    })
  })
}

/** The present retention, and the one that waits to take effect. */
function readWishes(
  rows: readonly KeptFrom[],
  now: number,
): { readonly current: Kept; readonly next: KeptFrom | undefined } {
  return {
    current: rows.findLast(({ effectiveAt }) => effectiveAt.getTime() <= now) ?? keptDays,
    next: rows.find(({ effectiveAt }) => effectiveAt.getTime() > now),
  }
}

function refuseShorter(wish: Kept, shorter: readonly Field[]): Failure {
  const cn = shorter.map((field) => `${wish[field]} 天前的${names[field].cn}`).join('、')
  const en = shorter.map((field) => `${names[field].en} older than ${wish[field]} days`).join(', ')
  return new Failure('RETENTION_CONFIRM', {
    text: {
      cn: `24 小时后将永久删除 ${cn}，请确认`,
      en: `This permanently deletes the following after 24 hours: ${en}. Confirm to continue.`,
    },
    data: { deletes: Object.fromEntries(shorter.map((field) => [field, wish[field]])) },
  })
}
