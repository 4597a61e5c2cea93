import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, telemetry } from '@busbar/contract'
import { createMachine, createUser, type TestMachine, type TestUser } from '@busbar/testkit'
import type { FaultyLine, LineState } from '@busbar/testkit/faulty-line.ts'
import { untilTrue } from '@busbar/testkit/until.ts'
import { CountingSystem } from '../destinations/counting-system.ts'
import { NodeGroup } from '../processes/node-group.ts'
import { compareKept } from '../telemetry/compare-kept.ts'
import { addRules, listAlarmFaults } from './alarmed-load.ts'
import { describeFaults, edges, faultRoles, type NodeFault, type NodeName, otherEdge } from './draw-faults.ts'
import { RoamingMachine } from './roaming-machine.ts'
import { TestedVisit } from './tested-visit.ts'

const machinesCount = 4
/** No fault lasts as long: an alarm of silence is in vain. */
const silenceS = 120
/** After the end of the faults, on a machine that has time (testkit: calm). */
const recoverMsMax = 10_000
const settleMsMax = 40_000
/** Named in a report; the rest is counted. */
const namedMax = 8

/** How a run went; times in milliseconds. */
export interface FaultResult {
  readonly what: string
  readonly violations: readonly string[]
  /** From the end of the faults until each machine had a new message acknowledged, and the page answered. */
  readonly recovery: { readonly acknowledged: number | undefined; readonly visit: number | undefined }
  readonly acknowledged: number
  /** The system of the project got these again: requests after their answer, and rows. */
  readonly repeats: number
  readonly rowsAgain: number
  readonly tookMs: number
}

/**
 * Four processes with NATS and PostgreSQL, whose processes and lines are broken in runs one after the other, and a system
 * that gets the values of all machines through a project.
 */
export class FaultRig {
  readonly nodes: NodeGroup<NodeName>
  readonly #owner: TestUser
  readonly #system: CountingSystem
  readonly #report: (machine: TestMachine) => Promise<unknown>

  private constructor(parts: {
    nodes: NodeGroup<NodeName>
    owner: TestUser
    system: CountingSystem
    report: (machine: TestMachine) => Promise<unknown>
  }) {
    this.nodes = parts.nodes
    this.#owner = parts.owner
    this.#system = parts.system
    this.#report = parts.report
  }

  /** `preloads`: modules of a weakened build. */
  static async start(preloads: readonly string[] = []): Promise<FaultRig> {
    const system = await CountingSystem.start()
    const settings = { OUTGOING_ALLOWED_NETWORKS: system.allowedNetworks }
    const nodes = await NodeGroup.start(faultRoles, preloads, settings)
    const owner = await createUser(nodes.database.db)
    const { add } = await insist(() => system.subscribe(nodes.at('people').url, owner, []))
    return new FaultRig({ nodes, owner, system, report: (machine) => insist(() => add(machine)) })
  }

  async stop(): Promise<void> {
    await this.nodes.stop()
    await this.#system.stop()
  }

  /** Load, faults, recovery, and the checks of all that this load did, which take `settleMs` at most. */
  async run(faults: readonly NodeFault[], settleMs = settleMsMax): Promise<FaultResult> {
    const begunAt = performance.now()
    const { repeats, rowsAgain } = this.#system
    const machines = await this.#startMachines()
    const visit = await this.#startVisit()
    const violations: string[] = []
    try {
      const within = async (what: string, msMax: number, check: () => Promise<boolean> | boolean) => {
        // A process that ended by itself is the fault that a run looks for: the rest of it need not come right.
        const ms = await untilTrue(() => this.nodes.ended.length > 0 || check(), msMax)
        if (ms === undefined) violations.push(`${what} within ${msMax / 1_000} s`)
        return ms
      }
      const isFresh = () => {
        const marks = machines.map(({ client }) => client.next)
        return () => machines.every((machine, place) => machine.hasNewer(marks[place] ?? 0))
      }
      await within('no acknowledgement before the faults', settleMsMax, isFresh())
      await within('no visit before the faults', settleMsMax, () => visit.answers())
      const isReported = () => machines.every((machine) => this.#system.numbersOf(machine).size > 0)
      await within('no row before the faults', settleMsMax, isReported)

      await this.#inject(faults, machines)
      const [acknowledged, visited] = await Promise.all([
        within('no new acknowledgement after the faults', recoverMsMax, isFresh()),
        within('no visit after the faults', recoverMsMax, () => visit.answers()),
      ])
      violations.push(...(await this.#check(machines, settleMs)))
      const again = {
        repeats: this.#system.repeats - repeats,
        rowsAgain: this.#system.rowsAgain - rowsAgain,
      }
      if (again.repeats > countSenderFaults(faults))
        violations.push(`${again.repeats} requests of the project came again after their answer`)
      return {
        what: describeFaults(faults),
        violations: [...violations, ...this.nodes.ended.splice(0)],
        recovery: { acknowledged, visit: visited },
        acknowledged: machines.reduce((sum, { client }) => sum + client.acknowledged.size, 0),
        ...again,
        tookMs: Math.round(performance.now() - begunAt),
      }
    } finally {
      for (const machine of machines) machine.end()
      visit.end()
    }
  }

  async #startMachines(): Promise<RoamingMachine[]> {
    const { db } = this.nodes.database
    const ports = {
      left: this.nodes.portsOf('left').mqttPort,
      right: this.nodes.portsOf('right').mqttPort,
    }
    const machines: RoamingMachine[] = []
    for (let place = 0; place < machinesCount; place++) {
      const machine = await createMachine(db, { owner: this.#owner.userId })
      await addRules(db, machine, silenceS)
      await this.#report(machine)
      machines.push(new RoamingMachine(machine, ports, place % 2 === 0 ? 'left' : 'right'))
    }
    return machines
  }

  async #startVisit(): Promise<TestedVisit> {
    const machine = await createMachine(this.nodes.database.db, { owner: this.#owner.userId })
    return new TestedVisit(machine, this.#owner, {
      urls: edges.map((name) => `http://127.0.0.1:${this.nodes.portsOf(name).webPort}`),
      site: this.nodes.portsOf('rest'),
    })
  }

  /** Resolves when all faults are over, and the processes that they ended are ready. */
  async #inject(faults: readonly NodeFault[], machines: readonly RoamingMachine[]): Promise<void> {
    await Promise.all(
      faults.map(async (fault) => {
        await sleep(fault.atMs)
        const mend = await this.#break(fault, machines)
        await sleep(fault.forMs)
        await mend()
      }),
    )
  }

  async #break(fault: NodeFault, machines: readonly RoamingMachine[]): Promise<() => unknown> {
    const { nodes } = this
    switch (fault.kind) {
      case 'kill':
        if (!nodes.isRunning(fault.node)) return () => undefined
        await nodes.kill(fault.node)
        return () => nodes.begin(fault.node)
      case 'freeze':
        return nodes.isRunning(fault.node) ? nodes.freeze(fault.node) : () => undefined
      case 'natsGone':
        await nodes.nats.stop()
        return () => nodes.nats.start()
      case 'databaseGone':
        return this.#breakLines(
          nodes.names.map((name) => nodes.linesOf(name).database),
          'cut',
        )
      case 'line':
        return this.#breakLines([nodes.linesOf(fault.node)[fault.line]], fault.way)
      case 'handover':
        return this.#handOver(
          fault,
          machines.filter(({ at }) => at === fault.node),
        )
    }
  }

  /** Has the machines of a node go to the other one; the returned function brings them back. */
  async #handOver(
    { node, how }: Extract<NodeFault, { kind: 'handover' }>,
    machines: readonly RoamingMachine[],
  ): Promise<() => Promise<void>> {
    const { nodes } = this
    const doesEnd = how !== 'move' && nodes.isRunning(node)
    for (const machine of machines)
      if (doesEnd) machine.moveTo(otherEdge[node])
      else machine.leaveFor(otherEdge[node])
    if (doesEnd) await nodes[how === 'kill' ? 'kill' : 'end'](node)
    return async () => {
      if (doesEnd) await nodes.begin(node)
      for (const machine of machines) if (machine.at !== node) machine.leaveFor(node)
    }
  }

  #breakLines(lines: readonly FaultyLine[], way: LineState): () => void {
    for (const line of lines) line.state = way
    return () => {
      for (const line of lines) line.state = 'fine'
    }
  }

  /** The rules that are broken after the load has ended. */
  async #check(machines: readonly RoamingMachine[], settleMs: number): Promise<string[]> {
    const { db } = this.nodes.database
    const drained = Promise.all(machines.map(({ client }) => client.drain())).then(() => true)
    const isDrained = await Promise.race([drained, sleep(settleMs, false)])
    const open = machines.map(({ client }) => client.next - client.acknowledged.size)
    const violations = isDrained ? [] : [`numbers without an acknowledgement: ${open}`]
    const { missing, elsewhere } = await compareKept(db, machines)
    if (missing > 0) violations.push(`${missing} acknowledged numbers are not stored`)
    if (elsewhere > 0) violations.push(`${elsewhere} numbers are stored at another time as well`)

    let faults: string[] = []
    const isAsItShould = async () => {
      faults = [...(await this.#listOlder(machines)), ...(await listAlarmFaults(db, machines))]
      return faults.length === 0
    }
    const isRight = await untilTrue(isAsItShould, settleMs)
    if (isRight === undefined) violations.push(...faults)
    return [...violations, ...(await this.#checkSystem(machines, settleMs))]
  }

  /** The stored rows that the project's system lacks, and those that it got in another order. */
  async #checkSystem(machines: readonly RoamingMachine[], settleMs: number): Promise<string[]> {
    const listMissing = () =>
      machines.flatMap((machine) => {
        const got = this.#system.numbersOf(machine)
        // Those of before are of the moment in which its link reached the reader of the streams.
        const [first = 0] = got
        const missing = machine.numbers.filter((number) => number >= first && !got.has(number))
        const named = `${missing.slice(0, namedMax)} of ${machine.code}`
        return missing.length === 0 ? [] : [`the project's system lacks ${missing.length} numbers: ${named}`]
      })
    await untilTrue(() => listMissing().length === 0, settleMs)
    const wrong = this.#system.faults.splice(0).slice(0, namedMax)
    return [...listMissing(), ...wrong.map((fault) => `at the project's system: ${fault}`)]
  }

  /** The machines whose newest value, as people read it, is not the newest that was acknowledged. */
  async #listOlder(machines: readonly RoamingMachine[]): Promise<string[]> {
    const { token } = this.#owner
    const baseUrl = this.nodes.at('people').url
    const client = createClient({ baseUrl, lang: () => 'en', token: () => token })
    const older: string[] = []
    for (const { machineId, newest } of machines) {
      const [tags, values] = await Promise.all([
        client.call(telemetry.listTags, { machineId }),
        client.call(telemetry.listLatest, { machineId }),
      ])
      const tagIds = new Map(tags.map(({ tag, tagId }) => [tag, tagId]))
      const shown = new Map(values.map(({ tagId, value }) => [tagId, value]))
      for (const [tag, value] of newest) {
        const said = shown.get(tagIds.get(tag) ?? 0)
        if (said !== value)
          older.push(`the newest value of ${tag} of ${machineId} is ${said} instead of ${value}`)
      }
    }
    return older
  }
}

/** The times that the process which sends to the project's system ended or stood still: each may send one request again. */
function countSenderFaults(faults: readonly NodeFault[]): number {
  return faults.filter((fault) => (fault.kind === 'kill' || fault.kind === 'freeze') && fault.node === 'rest')
    .length
}

/** Calls until it succeeds: nodes on a busy machine answer 503. */
async function insist<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const answers: Answer[] = []
  await untilTrue(async () => answers.push(await call()) > 0, settleMsMax)
  if (answers.length === 0) throw new Error('a node refuses calls')
  return answers[0] as Answer
}
