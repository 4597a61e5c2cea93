import { vi } from 'vitest'

/** As `expect.poll` of vitest.config.ts: what must happen soon has so long on a busy machine. */
const patienceMs = 10_000

const [waitFor, waitUntil] = [vi.waitFor.bind(vi), vi.waitUntil.bind(vi)]
const patient = (options: Parameters<typeof vi.waitFor>[1] = {}) =>
  typeof options === 'number' ? options : { timeout: patienceMs, ...options }
vi.waitFor = (check, options) => waitFor(check, patient(options))
vi.waitUntil = (check, options) => waitUntil(check, patient(options))
