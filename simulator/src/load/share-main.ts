// One process of a load: told its share by its parent, tells what happened once a second.
import type { LoadShare } from './load-plan.ts'
import { type RunningShare, startLoadShare } from './load-share.ts'

const tellMs = 1_000
/** Disconnecting ten thousand lines takes a moment. */
const stopMs = 1_500

let running: RunningShare | undefined

function stop(): void {
  running?.stop()
  setTimeout(() => process.exit(0), stopMs).unref()
}

// The terminal's Ctrl-C reaches every process; the parent decides.
process.on('SIGINT', () => {})
process.on('SIGTERM', stop)
process.on('disconnect', () => process.exit(0))
process.on('message', (message: { share?: LoadShare; stop?: true }) => {
  if (message.stop) stop()
  if (!message.share || running) return
  const share = startLoadShare(message.share)
  running = share
  setInterval(() => process.send?.({ counts: share.take() }), tellMs)
})
