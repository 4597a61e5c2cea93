import { type AccessFacts, createAccess, decideAccess } from '@busbar/platform/modules/access/index.ts'
import { createUser, grantMachine } from '@busbar/testkit'
import { createFleet, fleetCode } from '../e2e/src/fleet.ts'
import { startSite } from '../e2e/src/site.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

/* The cost of a right: decided from facts in memory, as every frame and stream asks it, and read from the
   database, as every call does, for one machine and for the whole list of a person with 5,000. The database
   is the platform's own, on the same machine, otherwise idle; the caller has one connection at a time. */

const machinesMax = 5_000
const decisionsPerRound = 2_000_000
const roundsCount = 7
const callsWarmUp = 200
const calls = { one: 2_000, all: 60 }

console.log(describeMachine())
printRows([measureDecisions(), ...(await measureLists())])

/** Decides for a mix of people, so that no branch is always the same one. */
function measureDecisions(): Row {
  const now = Date.now()
  const stranger: AccessFacts = {
    machineCode: fleetCode(1),
    cloudService: true,
    isOwner: false,
    isListed: true,
    isBlacklisted: false,
    isLeaving: false,
    member: undefined,
    maintenance: undefined,
    grant: undefined,
  }
  const grant = { id: 1, role: 'visitor', until: null, readOnly: false, alarms: true } as const
  const facts: readonly AccessFacts[] = [
    stranger,
    { ...stranger, isOwner: true },
    { ...stranger, grant: { ...grant, role: 'bkey' } },
    { ...stranger, grant },
    { ...stranger, grant: { ...grant, until: new Date(now + 60_000), readOnly: true } },
    { ...stranger, grant: { ...grant, until: new Date(now - 60_000) } },
    { ...stranger, grant, isBlacklisted: true },
    { ...stranger, grant, cloudService: false },
    { ...stranger, maintenance: { window: windowFrom(now - 60_000) } },
    { ...stranger, maintenance: { window: windowFrom(now + 60_000) } },
  ]
  const rounds: number[] = []
  let entered = 0
  for (let round = 0; round <= roundsCount; round++) {
    const beganAt = performance.now()
    for (let i = 0; i < decisionsPerRound; i++) {
      const one = facts[i % facts.length] as AccessFacts
      if (decideAccess(one, now, false).rights.has('visitor+')) entered++
    }
    // The first round warms up the compiler.
    if (round > 0) rounds.push(((performance.now() - beganAt) / decisionsPerRound) * 1e6)
  }
  if (entered !== decisionsPerRound * (roundsCount + 1) * 0.5) throw new Error(`${entered} entered`)
  rounds.sort((x, y) => x - y)
  return {
    what: `a decision from memory: median of ${roundsCount} rounds`,
    figure: `${quantile(rounds, 0.5).toFixed(0)} ns (${rounds[0]?.toFixed(0)} to ${rounds.at(-1)?.toFixed(0)})`,
    target: '',
  }
}

/** An hour in which a machine's owner gives the maintainer access. */
function windowFrom(start: number) {
  return { startAt: new Date(start), stopAt: new Date(start + 3_600_000), mayControl: true }
}

async function measureLists(): Promise<Row[]> {
  const site = await startSite()
  const db = await site.openDatabase()
  try {
    const [owner, guest] = [await createUser(db), await createUser(db)]
    await createFleet(db, owner.userId, machinesMax)
    const mine = await db
      .selectFrom('machines')
      .select('id')
      .where('owner_user_id', '=', owner.userId)
      .orderBy('id')
      .execute()
    const ids = mine.map(({ id }) => id)
    for (const id of ids.slice(0, 100)) await grantMachine(db, guest.userId, id, { role: 'visitor' })
    const access = createAccess(db)
    const measure = async (userId: number, machineIds: readonly number[], count: number) => {
      const times: number[] = []
      for (let call = -callsWarmUp; call < count; call++) {
        const beganAt = performance.now()
        const rights = await access.list(userId, machineIds, Date.now())
        if (rights.size !== machineIds.length) throw new Error(`${rights.size} of ${machineIds.length}`)
        if (call >= 0) times.push(performance.now() - beganAt)
      }
      return `p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`
    }
    return [
      {
        what: 'the right to 1 machine through the database, a visitor',
        figure: await measure(guest.userId, ids.slice(0, 1), calls.one),
        target: '',
      },
      {
        what: `the rights to ${machinesMax} machines, their owner`,
        figure: await measure(owner.userId, ids, calls.all),
        target: '',
      },
    ]
  } finally {
    await db.destroy()
    await site.stop()
  }
}
