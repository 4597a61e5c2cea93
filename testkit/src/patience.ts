import { vi } from 'vitest'

/** As `expect.poll` of vitest.config.ts: what must happen soon has so long on a busy machine. */
const patienceMs = 10_000

const waitFor = vi.waitFor.bind(vi)
vi.waitFor = (check, options = patienceMs) => waitFor(check, options)
