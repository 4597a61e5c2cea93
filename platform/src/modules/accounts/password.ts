import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type HashLane, HashQueue } from './hash-queue.ts'
import { HashThreads } from './hash-threads.ts'

const threads = new HashThreads()
const queue = new HashQueue({ runningMax: threads.count })

/**
 * argon2id, OWASP's 19 MiB, 2 passes, 1 lane: 30 to 50 ms of a core, beside the event loop (rules/accounts.md:
 * passwords).
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** Hashes a password for storage. Throws 429 when too many hashes are waiting already. */
export async function hashPassword(password: string, lane: HashLane = 'stranger'): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await run(lane, password, nonce)
  return `argon2id$${cost.memory}$${cost.passes}$${cost.parallelism}$${nonce.toString('base64')}$${tag.toString('base64')}`
}

/**
 * Compares in constant time; takes as long for no hash as for a wrong password, so that the duration does not reveal
 * whether an account exists.
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  lane: HashLane = 'stranger',
): Promise<boolean> {
  const parts = (hash ?? '').split('$')
  const known = parts.length === 6 && parts[0] === 'argon2id'
  const nonce = known ? Buffer.from(parts[4] ?? '', 'base64') : Buffer.alloc(16)
  const tag = await run(
    lane,
    password,
    nonce,
    known ? { memory: Number(parts[1]), passes: Number(parts[2]), parallelism: Number(parts[3]) } : cost,
  )
  const expected = known ? Buffer.from(parts[5] ?? '', 'base64') : Buffer.alloc(tag.length)
  return expected.length === tag.length && timingSafeEqual(expected, tag) && known
}

function run(
  lane: HashLane,
  password: string,
  nonce: Buffer,
  parameters: { memory: number; passes: number; parallelism: number } = cost,
): Promise<Buffer> {
  return queue.run(lane, () =>
    threads.hash({
      message: Buffer.from(password.normalize('NFKC')),
      nonce,
      memory: parameters.memory,
      passes: parameters.passes,
      parallelism: parameters.parallelism,
      tagLength: cost.tagLength,
    }),
  )
}
