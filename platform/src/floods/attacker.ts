// A process of its own: the cost of an attack must not slow down those who watch the platform.
import { type AttackOrder, attack } from './attacks.ts'

process.on('message', async (order: AttackOrder) => {
  process.send?.(await attack(order))
})
