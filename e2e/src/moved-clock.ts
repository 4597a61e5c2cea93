import { readFileSync, watchFile } from 'node:fs'
import { moveDate } from './move-date.ts'

/*
 * Loaded before a program of the product: its clock goes ahead of the real one by the milliseconds in a file, so that
 * minutes of the product pass within a test. Its timers keep the real time.
 */

const file = process.env.BUSBAR_TEST_CLOCK ?? ''
let aheadMs = 0

const read = () => {
  aheadMs = Number(readFileSync(file, 'utf8')) || 0
}
read()
watchFile(file, { interval: 50, persistent: false }, read)
moveDate(() => aheadMs)
