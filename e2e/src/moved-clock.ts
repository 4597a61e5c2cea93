import { readFileSync, watchFile } from 'node:fs'

/*
 * Loaded before a program of the product: its clock goes ahead of the real one by the milliseconds in a file, so that
 * minutes of the product pass within a test. Its timers keep the real time.
 */

const file = process.env.BUSBAR_TEST_CLOCK ?? ''
const RealDate = Date
const realNow = Date.now
let aheadMs = 0

const read = () => {
  aheadMs = Number(readFileSync(file, 'utf8')) || 0
}
read()
watchFile(file, { interval: 50, persistent: false }, read)

const now = () => realNow() + aheadMs
const MovedDate = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, given, asked) => Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
})
RealDate.prototype.constructor = MovedDate
globalThis.Date = MovedDate
