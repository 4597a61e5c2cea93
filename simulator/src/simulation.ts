import type { DemoPlan, PlannedMachine } from './demo-plan.ts'
import { lostSpanOf, storyOf } from './demo-story.ts'
import { startEdgeNode } from './edge-node.ts'
import { historyMostMs } from './history.ts'
import { type MachineNode, type NodeOptions, startTicking } from './machine-node.ts'
import { type ModbusMachine, registerMap, startModbusMachine } from './modbus-machine.ts'
import { isPastTold, type PastPlan } from './past-sender.ts'
import { type PasteuriserState, startPasteuriser } from './pasteuriser.ts'
import { sendPasteuriserPast } from './pasteuriser-past.ts'
import { startPlainJsonNode } from './plain-json-node.ts'
import { findProfile, pasteuriserPlant } from './profiles/index.ts'
import { pasteuriserSeed } from './profiles/pasteuriser-plant.ts'
import type { MachineProfile } from './profiles/profile.ts'
import { startReceiver } from './receiver.ts'
import { modbusException } from './register-bank.ts'
import { openSimulationMemory, type SimulationMemory } from './simulation-memory.ts'
import { createTurns, type Turns } from './turns.ts'

/** All of a plan's machines, running in this process. */
export interface Simulation {
  readonly modbus: ModbusMachine | undefined
  /** Resolves when every machine with a past has sent it. */
  readonly settled: Promise<void>
  stop(): Promise<void>
}

/** The most messages of the past without an acknowledgement, whatever the number of machines. */
const pastTurns = 2
const saveMs = 30_000

/**
 * Starts the machines of a plan. `onFailure` gets errors that end the whole simulation, such as an unknown
 * profile.
 */
export async function startSimulation(
  plan: DemoPlan,
  onFailure: (error: unknown) => void,
): Promise<Simulation> {
  const memory = await openSimulationMemory(plan.memoryFile, plan.madeAt)
  const turns = createTurns(pastTurns)
  const nodes: MachineNode[] = []
  const pages: { stop(): void }[] = []
  const openPage = await pagesOf(plan)
  const modbus = plan.modbus === undefined ? undefined : await startModbus(plan, memory, turns)
  const receiver = plan.receiver && (await startReceiver(plan.receiver))
  const stopTicking = startTicking(nodes)
  let stopped = false

  async function save(): Promise<void> {
    for (const node of nodes) {
      const saved = node.save()
      if (saved) memory.of(node.code).model = saved
    }
    if (modbus) memory.of(pasteuriserSeed).model = savedPlant(modbus)
    await memory.save()
  }

  const started = (async () => {
    for (const machine of plan.machines) {
      if (stopped) return
      const profile = findProfile(machine.trade)
      if (profile === undefined) throw new Error(`unknown trade: ${machine.trade}`)
      const node = await startNode(plan, machine, profile, memory, turns)
      nodes.push(node)
      if (openPage !== undefined) pages.push(openPage({ node, profile, secret: machine.secret }))
      node.tick()
    }
  })()
  started.catch(onFailure)
  const settled = started.then(() => Promise.all(nodes.map((node) => node.settled))).then(() => {})
  settled.catch(() => {})
  const saveTimer = setInterval(() => void save().catch(() => {}), saveMs)
  return {
    modbus,
    settled,
    async stop() {
      stopped = true
      stopTicking()
      clearInterval(saveTimer)
      for (const page of pages) page.stop()
      await Promise.all([
        ...nodes.map((node) => node.stop()),
        ...[modbus?.close(), receiver?.stop()],
        save().catch(() => {}),
      ])
    },
  }
}

function startNode(
  plan: DemoPlan,
  machine: PlannedMachine,
  profile: MachineProfile,
  memory: SimulationMemory,
  turns: Turns,
): Promise<MachineNode> {
  const { code, secret, outages } = machine
  const options: NodeOptions = {
    mqttUrl: plan.mqttUrl,
    ...{ code, secret, profile, outages },
    past: pastOf(plan, machine, memory, turns),
    saved: memory.of(code).model,
    storyAt: plan.madeAt,
  }
  return profile.speaks === 'sparkplug' ? startEdgeNode(options) : startPlainJsonNode(options)
}

function pastOf(
  plan: DemoPlan,
  machine: PlannedMachine,
  memory: SimulationMemory,
  turns: Turns,
): PastPlan | undefined {
  if (!plan.fillHistory) return undefined
  const kept = memory.of(machine.code)
  return {
    fromAt: plan.madeAt - historyMostMs,
    untilAt: plan.madeAt,
    lost: lostSpanOf(machine.trade, plan.madeAt),
    toldFromAt: kept.toldFromAt,
    onTold: (fromAt) => {
      kept.toldFromAt = fromAt
      // A part sent but not remembered is sent again, which is harmless, so the disk is not awaited.
      void memory.save().catch(() => {})
    },
    turns,
  }
}

/** The plant behind the Modbus server continues in its last state, or at the end of its simulated past. */
async function startModbus(
  plan: DemoPlan,
  memory: SimulationMemory,
  turns: Turns,
): Promise<ModbusMachine | undefined> {
  if (plan.modbus === undefined) return undefined
  const { machine, ...listen } = plan.modbus
  const told = storyOf(pasteuriserPlant.id, plan.madeAt)
  const past = machine && pastOf(plan, machine, memory, turns)
  const state =
    machine && past && !isPastTold(past)
      ? await sendPasteuriserPast({ mqttUrl: plan.mqttUrl, machine, past, storyAt: plan.madeAt })
      : memory.of(pasteuriserSeed).model?.run.state
  const modbus = await startModbusMachine({
    ...listen,
    told,
    code: machine?.code,
    // A state saved by an older version may lack newer fields of the plant.
    state: state && { ...startPasteuriser(), ...(state as Partial<PasteuriserState>) },
  })
  const { area, address } = registerMap.returnTemp
  modbus.fail(area, address, modbusException.targetSilent)
  return modbus
}

function savedPlant(modbus: ModbusMachine) {
  return { at: Date.now(), run: { state: { ...modbus.state() }, alarms: [] } }
}

/** Loaded for a plan that wants pages only: the agent's page is a good part of a small process. */
async function pagesOf({ tunnelUrl }: DemoPlan) {
  if (tunnelUrl === undefined) return undefined
  const { startMachinePage } = await import('./machine-page.ts')
  return (machine: Omit<Parameters<typeof startMachinePage>[0], 'tunnelUrl'>) =>
    startMachinePage({ ...machine, tunnelUrl })
}
