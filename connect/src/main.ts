#!/usr/bin/env node
import { hostname } from 'node:os'
import type { Terminal } from './output.ts'
import { runProgram } from './program.ts'

declare const productVersion: string | undefined

/** Connections that are open then are told of the end so long. */
const farewellMs = 2_000

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
// The reader of its lines went away.
process.stdout.on('error', () => stop.abort())
process.stderr.on('error', () => undefined)

function findTerminal(): Terminal | undefined {
  const { stdin, stdout } = process
  if (!stdin.isTTY || !stdout.isTTY) return undefined
  return {
    columns: () => stdout.columns,
    rows: () => stdout.rows,
    onKey(press) {
      const listen = (bytes: Buffer) => press(bytes.toString())
      stdin.setRawMode(true)
      stdin.on('data', listen)
      return () => {
        stdin.off('data', listen)
        stdin.setRawMode(false)
        stdin.pause()
      }
    },
  }
}

const code = await runProgram(process.argv.slice(2), {
  env: process.env,
  platform: process.platform,
  hostName: hostname(),
  version: typeof productVersion === 'string' ? productVersion : 'dev',
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  terminal: findTerminal(),
  stopped: stop.signal,
})
process.exitCode = code
// Without it Node waits, after its last event, for ends of connections that were broken off, and may never come to one.
process.once('beforeExit', () => process.exit(code))
setTimeout(() => process.exit(code), farewellMs).unref()
