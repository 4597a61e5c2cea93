import type { smsStock as contract, InputOf } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import * as store from './sms-stock-store.ts'
import { findName, isMember } from './sms-stock-views.ts'

/**
 * Recharges or refunds the stock of a person or an enterprise; answers the new balance. Throws 404, SMS_STOCK_SHORT,
 * SMS_STOCK_FULL.
 */
export async function changeStock(
  db: Database,
  actor: Actor,
  { eid, userId, type, count, note }: InputOf<typeof contract.changeStock>,
): Promise<number> {
  const owner = { userId, enterpriseId: eid }
  const at = new Date(actor.now)
  return withTransaction(db, async (trx) => {
    const target = await findName(trx, owner)
    if (target === undefined) throw new Failure('404')
    const stock = await lockOne(trx, owner, at)
    requirePossible(stock.stock + store.changeOf({ kind: type, segments: count }))
    const move = { stockId: stock.id, kind: type, segments: count, by: actor.user.userId, note }
    const stocks = await store.moveStocks(trx, [stock], [move], at)
    await auditAct(trx, actor, { action: `sms.${type}`, target, detail: { eid, userId, count } })
    return stocks.get(stock.id) ?? 0
  })
}

/**
 * Allocates segments of an enterprise to a member, or takes them back. Throws 404 for a person who is not a member,
 * SMS_STOCK_SHORT, SMS_STOCK_FULL.
 */
export async function transferStock(
  db: Database,
  actor: Actor,
  { eid, userId, count, direction }: InputOf<typeof contract.transferStock>,
): Promise<{ stock: number; userStock: number }> {
  const at = new Date(actor.now)
  const [space, member] = [{ enterpriseId: eid }, { enterpriseId: eid, userId }]
  return withTransaction(db, async (trx) => {
    if (!(await store.lockMember(trx, eid, userId))) throw new Failure('404')
    await store.createStocks(trx, [space, member], at)
    const locked = await store.lockStocks(trx, [space, member])
    const spaceStock = requireStock(locked.find((one) => one.userId === undefined))
    const memberStock = requireStock(locked.find((one) => one.userId === userId))
    const sign = direction === 'give' ? 1 : -1
    requirePossible(spaceStock.stock - sign * count)
    requirePossible(memberStock.stock + sign * count)
    const stocks = await store.moveStocks(
      trx,
      locked,
      movesBetween(spaceStock.id, memberStock.id, direction, count, actor.user.userId),
      at,
    )
    await auditAct(trx, actor, {
      action: `enterprise.sms.${direction}`,
      target: String(userId),
      detail: { eid, userId, count },
    })
    return { stock: stocks.get(spaceStock.id) ?? 0, userStock: stocks.get(memberStock.id) ?? 0 }
  })
}

/** Gives back the remaining allocation of a member who leaves an enterprise. */
export async function returnAllocation(
  trx: store.Db,
  {
    enterpriseId,
    userId,
    by,
    at,
  }: { enterpriseId: number; userId: number; by?: number | undefined; at: number },
): Promise<void> {
  const locked = await store.lockStocks(trx, [{ enterpriseId }, { enterpriseId, userId }])
  const member = locked.find((one) => one.userId === userId)
  const space = locked.find((one) => one.userId === undefined)
  if (!member || !space || member.stock === 0) return
  const moves = movesBetween(space.id, member.id, 'takeBack', member.stock, by)
  await store.moveStocks(trx, locked, moves, new Date(at))
}

/** The owner of a machine, who pays for its messages. */
export type Payer =
  | { readonly userId: number }
  | { readonly enterpriseId: number; readonly memberId?: number }

/** A message that is to be paid. */
export interface Reservation {
  readonly notificationId: number
  readonly payer: Payer
  readonly segments: number
}

/**
 * Reserves segments for messages, in their order: a person pays for their own machines; for an enterprise's device the
 * member's allocation is used if it covers the message, else the enterprise's stock. Answers the notifications that
 * could not be paid.
 */
export async function reserveStock(
  trx: store.Db,
  requests: readonly Reservation[],
  at: Date,
): Promise<ReadonlySet<number>> {
  const unpaid = new Set<number>()
  if (requests.length === 0) return unpaid
  const locked = await store.lockStocks(trx, uniqueOwners(requests))
  const byOwner = new Map(locked.map((stock) => [keyOf(stock), stock]))
  const left = new Map(locked.map(({ id, stock }) => [id, stock]))
  const moves: store.StockMove[] = []
  for (const { notificationId, payer, segments } of requests) {
    const stockId = ownersOf(payer)
      .map((owner) => byOwner.get(keyOf(owner))?.id)
      .find((id) => id !== undefined && (left.get(id) ?? 0) >= segments)
    if (stockId === undefined) {
      unpaid.add(notificationId)
      continue
    }
    left.set(stockId, (left.get(stockId) ?? 0) - segments)
    moves.push({ stockId, kind: 'reserve', segments, notificationId })
  }
  await store.moveStocks(trx, locked, moves, at)
  return unpaid
}

/**
 * Uses the segments reserved for accepted messages, and gives back those for refused ones. A reservation is settled
 * once: a further call changes nothing (rules/messages.md: sms balance).
 */
export async function settleReservations(
  trx: store.Db,
  notificationIds: readonly number[],
  outcome: 'take' | 'giveBack',
  at: Date,
): Promise<void> {
  if (notificationIds.length === 0) return
  const reserved = await store.lockReservations(trx, notificationIds, { withSpaces: outcome === 'giveBack' })
  const stocks = new Map(reserved.map((row) => [row.stock_id, { id: row.stock_id, stock: row.stock }]))
  const moves = reserved.map((row) => ({
    stockId: row.stock_id,
    kind: outcome,
    segments: row.segments,
    notificationId: row.notification_id,
  }))
  await store.moveStocks(trx, [...stocks.values()], moves, at)
  if (outcome === 'giveBack') await passOn(trx, reserved, at)
}

/** Segments that come back to a member who left meanwhile go to the enterprise. */
async function passOn(
  trx: store.Db,
  reserved: Awaited<ReturnType<typeof store.lockReservations>>,
  at: Date,
): Promise<void> {
  for (const { user_id: userId, enterprise_id: enterpriseId } of reserved) {
    if (userId === null || enterpriseId === null || (await isMember(trx, enterpriseId, userId))) continue
    await returnAllocation(trx, { enterpriseId, userId, at: at.getTime() })
  }
}

/** The stocks that may pay, the first choice first (rules/messages.md: payer of an sms). */
function ownersOf(payer: Payer): store.StockOwner[] {
  if ('userId' in payer) return [{ userId: payer.userId }]
  const { enterpriseId, memberId } = payer
  return memberId === undefined ? [{ enterpriseId }] : [{ enterpriseId, userId: memberId }, { enterpriseId }]
}

const keyOf = ({ userId = 0, enterpriseId = 0 }: store.StockOwner) => `${enterpriseId}/${userId}`

function uniqueOwners(requests: readonly Reservation[]): store.StockOwner[] {
  const owners = requests.flatMap(({ payer }) => ownersOf(payer))
  return [...new Map(owners.map((owner) => [keyOf(owner), owner])).values()]
}

function movesBetween(
  spaceId: number,
  memberId: number,
  direction: 'give' | 'takeBack',
  segments: number,
  by: number | undefined,
): store.StockMove[] {
  const who = by === undefined ? {} : { by }
  const [ofSpace, ofMember] =
    direction === 'give' ? (['give', 'got'] as const) : (['takeBack', 'returned'] as const)
  return [
    { stockId: spaceId, kind: ofSpace, segments, ...who, otherStockId: memberId },
    { stockId: memberId, kind: ofMember, segments, ...who, otherStockId: spaceId },
  ]
}

async function lockOne(trx: store.Db, owner: store.StockOwner, at: Date): Promise<store.LockedStock> {
  await store.createStocks(trx, [owner], at)
  const [stock] = await store.lockStocks(trx, [owner])
  return requireStock(stock)
}

function requireStock(stock: store.LockedStock | undefined): store.LockedStock {
  if (!stock) throw new Error('a stock was neither made nor found')
  return stock
}

function requirePossible(stock: number): void {
  if (stock < 0) throw new Failure('SMS_STOCK_SHORT')
  if (!store.isStockPossible(stock)) throw new Failure('SMS_STOCK_FULL')
}
