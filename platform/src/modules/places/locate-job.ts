import { firstPlaceType, placeTypes, placeWays } from '@busbar/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { type Jobs, type QueueJob, queueJob, queueOf } from '../../kernel/jobs/index.ts'
import type { PlaceChanges } from './place-changes.ts'
import type { ToldSignals } from './place-intake.ts'
import type { Locator } from './providers/locator.ts'
import type { Signals } from './providers/position-provider.ts'
import { deviceOf, readCells, readWifi } from './providers/read-signals.ts'
import { canLocate, findFix, readTold } from './told-signals.ts'

/** A provider is asked about a machine by itself at most so often. */
const askedEveryMs = 600_000
/** A machine that hears the same is at the same place, for so long. */
const heardMsMax = 86_400_000
const concurrency = 2
const ways = [placeWays.wifi, placeWays.baseStation] as const

interface LocateJob {
  readonly machineId: number
}

const locateQueue = queueOf<LocateJob>('places.locate')

interface Deps {
  readonly db: Database
  readonly jobs: Pick<Jobs, 'send'>
  readonly changes: Pick<PlaceChanges, 'applyFix'>
  readonly locator: Locator
  now(): number
}

/** Has a machine located by what it told, once the last question about it is ten minutes ago. */
export async function locateTold(
  { jobs, locator, now }: Deps,
  trx: Transaction<DB>,
  machineId: number,
  told: ToldSignals,
): Promise<void> {
  const device = deviceOf(String(machineId))
  const isTaken =
    locator.canLocate({ device, wifi: readWifi(told.wifi) }) ||
    locator.canLocate({ device, cells: readCells(told.cells) })
  if (!isTaken) return
  const at = await claimAsk(trx, machineId, new Date(now()))
  if (at)
    await jobs.send(trx, locateQueue, { machineId }, { afterS: Math.ceil((at.getTime() - now()) / 1_000) })
}

/** When the machine is asked about next; undefined: a job for that is waiting, and will read the newest. */
async function claimAsk(trx: Transaction<DB>, machineId: number, now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    insert into place_asks as ask (machine_id, asked_at) values (${machineId}, ${now})
    on conflict (machine_id) do update
      set asked_at = greatest(${now}::timestamptz, ask.asked_at + ${askedEveryMs} * interval '1 millisecond')
      where ask.asked_at <= ${now}
    returning ask.asked_at as at`.execute(trx)
  return rows[0]?.at
}

/** Asks providers where machines are. A failure waits for what the machine tells next. */
export const locateJob = (deps: Deps): QueueJob =>
  queueJob({
    queue: locateQueue,
    concurrency,
    retryS: [],
    handle: ({ data: { machineId } }) => locateOne(deps, machineId),
  })

async function locateOne({ db, locator, changes, now }: Deps, machineId: number): Promise<void> {
  const told = await readTold(db, machineId, now())
  const heard = describeHeard(told.signals)
  const { lastHeard, heardAt, type } = await findHeard(db, machineId)
  if (heard === lastHeard && heardAt && now() - heardAt.getTime() < heardMsMax) return
  const possible = ways.filter((way) => canLocate(locator, told, way))
  const { fix } = await findFix(db, locator, machineId, told, possible)
  if (!fix) return
  // Beside a place that a person set, nobody reads the address.
  const named =
    (type ?? firstPlaceType) === placeTypes.auto ? { addresses: await locator.addressesOf(fix) } : {}
  await withTransaction(db, async (trx) => {
    await changes.applyFix(trx, machineId, { ...fix, ...named })
    await sql`update place_asks set heard = ${heard}, heard_at = ${new Date(now())}
              where machine_id = ${machineId}`.execute(trx)
  })
}

async function findHeard(db: Kysely<DB>, machineId: number) {
  const row = await db
    .selectFrom('place_asks')
    .leftJoin('machine_places', 'machine_places.machine_id', 'place_asks.machine_id')
    .where('place_asks.machine_id', '=', machineId)
    .select(['heard as lastHeard', 'heard_at as heardAt', 'machine_places.type'])
    .executeTakeFirst()
  return row ?? { lastHeard: null, heardAt: null, type: null }
}

/** The cell in use and the two nearest access points: the rest changes with every scan. */
function describeHeard({ cells = [], wifi = [] }: Signals): string {
  const [cell] = cells
  const near = wifi.slice(0, 2).map(({ mac }) => mac)
  return JSON.stringify([
    cell?.mcc,
    cell?.mnc,
    cell?.lac ?? cell?.tac,
    cell?.cellId ?? cell?.nci,
    ...near.sort(),
  ])
}
