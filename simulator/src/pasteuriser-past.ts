import type { PlannedMachine } from './demo-plan.ts'
import { startEdgeNode } from './edge-node.ts'
import type { PastPlan } from './past-sender.ts'
import { pasteuriserPlant } from './profiles/pasteuriser-plant.ts'
import type { SavedState } from './profiles/profile.ts'

/** The agent waits this long for the past to be sent; the rest is sent at the next start. */
const tellMsMax = 3_000

/**
 * Sends the pasteuriser's past under its code, in the form of the agent that reports it from then on: a
 * machine has one connection. Returns the state of its process at the end.
 */
export async function sendPasteuriserPast(options: {
  mqttUrl: string
  machine: PlannedMachine
  past: PastPlan
  storyAt: number
}): Promise<SavedState | undefined> {
  const { machine } = options
  const node = await startEdgeNode({
    mqttUrl: options.mqttUrl,
    code: machine.code,
    secret: machine.secret,
    profile: pasteuriserPlant,
    outages: machine.outages,
    past: options.past,
    storyAt: options.storyAt,
  })
  node.tick()
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, tellMsMax)
  await Promise.race([node.settled, timeout.promise])
  clearTimeout(timer)
  await node.stop()
  return node.model.save().run.state
}
