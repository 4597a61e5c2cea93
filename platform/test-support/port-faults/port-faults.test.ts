import { setTimeout as sleep } from 'node:timers/promises'
import { portLimits } from '@busbar/link'
import type { LineCut } from '@busbar/testkit/faulty-line.ts'
import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom, type Random } from '../histories/random.ts'
import { FaultRig } from './fault-rig.ts'
import { ToolStream } from './tool-stream.ts'

/*
 * Streams through the program, the platform and the agent, each a process of its own, while lines are cut at each byte
 * of their handshake and processes are killed. A stream goes on exactly, or ends at both ends: no byte comes to another
 * place.
 */

/** It also builds the programs, where that was not done before. */
const setUpMsMax = 300_000
const seedMsMax = 300_000
const settledMsMax = 90_000
/** A process that was away for longer may find that the ends have given up. */
const surelyKeptMs = portLimits.keepMs - 10_000
/** Each seed takes every 20th byte, so that the 20 of a long run take each. */
const everyByte = 20
/** Longer than the request of a line, and than its answer with the first two messages. */
const handshakeBytes = { up: 420, down: 260 }
const refillMs = 200
/** Between a fault and another one beside it. */
const soonMsMax = 300

const faults = ['cut the program’s line', 'cut the agent’s line', 'cut both lines'] as const
const kills = ['kill the platform', 'kill the agent', 'kill the program'] as const
type Fault = (typeof faults)[number] | (typeof kills)[number]

let rig: FaultRig
beforeAll(async () => {
  rig = await FaultRig.open()
}, setUpMsMax)
afterAll(() => rig?.close())

let count = 0
let streams: ToolStream[] = []

async function until(isTrue: () => boolean, what: string, everyMs = 10): Promise<void> {
  const giveUpAt = performance.now() + settledMsMax
  while (!isTrue()) {
    if (performance.now() > giveUpAt) {
      const states = streams.map(({ state }) => state).join(', ')
      const told = rig.told.slice(-20).join('\n')
      throw new Error(
        `waited ${settledMsMax} ms until ${what}; streams: ${states}; the program said:\n${told}`,
      )
    }
    await sleep(everyMs)
  }
}

/** As many streams as a visit may have, each of which has carried bytes both ways. Some may not be freed yet. */
async function fill(random: Random): Promise<void> {
  const passed = new Map<ToolStream, () => boolean>()
  await until(
    () => {
      for (const stream of streams) if (stream.state === 'over') stream.close()
      streams = streams.filter(({ state }) => state !== 'over')
      while (streams.length < portLimits.streamsMax)
        streams.push(
          new ToolStream(String(++count), { port: rig.toolPort, controller: rig.controller, random }),
        )
      for (const stream of streams) if (!passed.has(stream)) passed.set(stream, stream.whenPassed())
      return streams.every((stream) => passed.get(stream)?.())
    },
    'all streams carry bytes',
    refillMs,
  )
}

/** Waits until each stream goes on, or is over at both ends, and says which. */
async function settle(startedAt: number, fault: Fault | 'handshake', isLost = false): Promise<void> {
  const passed = streams.map((stream) => stream.whenPassed())
  const isSettled = (stream: ToolStream, at: number) =>
    stream.state === 'over' || (stream.state === 'open' && !isLost && passed[at]?.())
  await until(
    () => {
      if (fault === 'kill the program') rig.endKeeping()
      return streams.every(isSettled)
    },
    `each stream goes on or is over after ${fault}: ${streams.map(({ state }) => state)}`,
  )
  const seen = streams.map(({ state, isExact }) => `${state}${isExact ? '' : ' with other bytes'}`)
  if (isLost) expect(seen, fault).toEqual(streams.map(() => 'over'))
  else if (performance.now() - startedAt < surelyKeptMs)
    expect(seen, fault).toEqual(streams.map(() => 'open'))
  else
    expect(
      streams.every(({ isExact }) => isExact),
      fault,
    ).toBe(true)
}

async function strike(fault: Fault, random: Random): Promise<void> {
  if (fault === 'cut the program’s line') rig.programLine.reset()
  else if (fault === 'cut the agent’s line') rig.agentLine.reset()
  else if (fault === 'cut both lines') {
    rig.programLine.reset()
    rig.agentLine.reset()
  } else if (fault === 'kill the platform') await rig.killPlatform()
  else if (fault === 'kill the agent') await rig.killAgent()
  else await rig.killProgram()
  // Sometimes the next line breaks as well while streams come back.
  if (!random.chance(0.5)) return
  await sleep(random.below(soonMsMax))
  if (random.chance(0.5)) rig.programLine.reset()
  else rig.agentLine.reset()
}

function cutsOf(seed: number): LineCut[] {
  const cuts: LineCut[] = []
  for (const way of ['up', 'down'] as const)
    for (let at = 1 + (seed % everyByte); at <= handshakeBytes[way]; at += everyByte)
      cuts.push({ way, afterBytes: at })
  return cuts
}

function shuffle<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}

test.each(pickSeeds())(
  'seed %i: streams go on exactly, or end at both ends',
  async (seed) => {
    const random = createRandom(seed)
    await fill(random)
    const cuts = shuffle(cutsOf(seed), random)
    while (cuts.length > 0) {
      const startedAt = performance.now()
      rig.programLine.cutNext(cuts.splice(0, portLimits.streamsMax))
      rig.programLine.reset()
      await until(() => rig.programLine.cutsToCome === 0, 'all lines were dialled again')
      await settle(startedAt, 'handshake')
    }
    // Two of the three kills, so that two seeds have each.
    const drawn = kills.filter((_, at) => at !== seed % kills.length)
    for (const fault of shuffle<Fault>([random.pick(faults), ...drawn], random)) {
      await fill(random)
      await sleep(random.below(soonMsMax))
      const startedAt = performance.now()
      await strike(fault, random)
      await settle(startedAt, fault, fault === 'kill the agent' || fault === 'kill the program')
    }
    for (const stream of streams.splice(0)) stream.close()
  },
  seedMsMax,
)
