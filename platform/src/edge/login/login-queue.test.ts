import { expect, it } from 'vitest'
import { LoginQueue } from './login-queue.ts'

const codesOf = (queue: LoginQueue<string>) => queue.take().map(({ code }) => code)

/** Adds codes `{name}0`, `{name}1`, … and answers how many the queue took. */
function addMany(queue: LoginQueue<string>, count: number, address: string, name = `${address} `): number {
  return Array.from({ length: count }, (_, index) => queue.add(`${name}${index}`, address)).filter(Boolean)
    .length
}

it('invented codes leave machines that signed in before most of the next query', () => {
  const queue = new LoginQueue<string>()
  for (let index = 0; index < 600; index++) queue.remember(`known ${index}`)
  addMany(queue, 1_000, 'stranger')
  addMany(queue, 600, 'factory', 'known ')
  const codes = codesOf(queue)
  expect(codes).toHaveLength(500)
  expect(codes.filter((code) => code.startsWith('known'))).toHaveLength(400)
})

it('a new machine is in the next query, however many codes another address invented', () => {
  const queue = new LoginQueue<string>()
  addMany(queue, 1_000, 'stranger')
  queue.add('new', 'factory')
  expect(codesOf(queue)).toContain('new')
})

it('a query is filled by either kind alone', () => {
  const queue = new LoginQueue<string>()
  addMany(queue, 501, 'somebody')
  expect(codesOf(queue)).toHaveLength(500)
  expect(codesOf(queue)).toHaveLength(1)
  expect(queue.isEmpty).toBe(true)
  for (let index = 0; index < 501; index++) queue.remember(`somebody ${index}`)
  addMany(queue, 501, 'somebody')
  expect(codesOf(queue)).toHaveLength(500)
})

it('1,000 codes of an address and 10,000 invented ones may wait, and known machines beside them', () => {
  const queue = new LoginQueue<string>()
  queue.remember('known')
  expect(addMany(queue, 1_001, 'a')).toBe(1_000)
  for (let address = 1; address < 10; address++) expect(addMany(queue, 1_000, `${address}`)).toBe(1_000)
  expect(queue.add('one more', 'b')).toBeUndefined()
  expect(queue.add('known', 'a')).toBeDefined()
})

it('two who ask for one code share its answer', async () => {
  const queue = new LoginQueue<string>()
  const asked = [queue.add('code', 'a'), queue.add('code', 'b')]
  const taken = queue.take()
  expect(taken).toHaveLength(1)
  taken[0]?.answer.resolve('row')
  expect(await Promise.all(asked)).toEqual(['row', 'row'])
})
