// A separate process, so that the cost of an attack does not slow the measurements down.
import { type AttackOrder, attack } from './attacks.ts'

process.on('message', async (order: AttackOrder) => {
  process.send?.(await attack(order))
})
