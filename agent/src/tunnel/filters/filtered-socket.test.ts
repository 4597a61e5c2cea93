import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openPair } from '../../testing/port-program.ts'
import { s7Connect, s7Requests, s7SetUp } from '../../testing/port-requests.ts'
import { FilteredSocket, FilterOver } from './filtered-socket.ts'
import { ModbusFilter } from './modbus-filter.ts'
import type { PortFilter } from './port-filter.ts'
import { S7Filter } from './s7-filter.ts'

const waitMs = 15_000
const opened: { destroy(): void }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.destroy()
})

async function open(
  filter: PortFilter,
): Promise<{ tool: FilteredSocket; controller: Socket; got(): string }> {
  const [socket, controller] = await openPair()
  const tool = new FilteredSocket(socket, filter)
  opened.push(tool, controller)
  let got = ''
  tool.on('data', (bytes: Buffer) => {
    got += bytes.toString('hex')
  })
  tool.on('error', () => undefined)
  controller.on('error', () => undefined)
  return { tool, controller, got: () => got }
}

const hex = (text: string) => Buffer.from(text, 'hex')
const read = hex('0001000000060103006b0001')
const answer = hex('000100000005010302002a')
const write = hex('000200000006010600010003')
const refusal = '000200000003018601'

test('a refusal waits until the controller has sent all of an answer', async () => {
  for (let cut = 1; cut < answer.length; cut++) {
    const { tool, controller, got } = await open(new ModbusFilter())
    tool.write(read)
    expect((await once(controller, 'data'))[0]).toEqual(read)
    controller.write(answer.subarray(0, cut))
    await expect.poll(got, { timeout: waitMs }).toBe(answer.subarray(0, cut).toString('hex'))
    tool.write(write)
    // The second answer begins in the same piece: the refusal stands between the two.
    controller.write(Buffer.concat([answer.subarray(cut), answer.subarray(0, 3)]))
    const wanted = `${answer.toString('hex')}${refusal}${answer.subarray(0, 3).toString('hex')}`
    await expect.poll(got, { timeout: waitMs }).toBe(wanted)
  }
})

test('S7: a refusal waits for the connection’s own answer, and for the last piece of a message', async () => {
  const { tool, controller, got } = await open(new S7Filter())
  const refused = s7Requests.find(({ what }) => what === 'variables written')?.bytes ?? Buffer.alloc(0)
  const refusal = '0300001502f0803203000005000002000081040500'
  const confirm = '0300000b06d00001000200'
  tool.write(Buffer.concat([s7Connect, refused]))
  controller.resume()
  controller.write(hex(confirm))
  await expect.poll(got, { timeout: waitMs }).toBe(confirm + refusal)
  tool.write(s7SetUp.bytes)
  const [first, last] = ['0300000902f000aaaa', '0300000902f080bbbb']
  controller.write(hex(first))
  await expect.poll(got, { timeout: waitMs }).toBe(confirm + refusal + first)
  tool.write(refused)
  controller.write(hex(last))
  await expect.poll(got, { timeout: waitMs }).toBe(confirm + refusal + first + last + refusal)
})

test('S7: a controller that answers in another language keeps no refusal back', async () => {
  const { tool, controller, got } = await open(new S7Filter())
  const refused = s7Requests.find(({ what }) => what === 'a stop')?.bytes ?? Buffer.alloc(0)
  tool.write(Buffer.concat([s7Connect, refused]))
  controller.resume()
  controller.write('HTTP')
  const refusal = '0300001502f0803203000005000002000081042900'
  await expect.poll(got, { timeout: waitMs }).toBe(`${Buffer.from('HTTP').toString('hex')}${refusal}`)
})

test('a tool that does not read its refusals is not read', async () => {
  const filter = new ModbusFilter()
  const { tool } = await open(filter)
  tool.pause()
  const many = Buffer.concat(Array.from({ length: 1_000 }, () => write))
  for (let sent = 0; sent < 100; sent++) tool.write(many)
  let last = -1
  const isStill = () => {
    const before = last
    last = filter.counts.refused
    return before === last
  }
  await expect.poll(isStill, { interval: 100, timeout: waitMs }).toBe(true)
  expect(filter.counts.refused).toBeLessThan(20_000)
  tool.resume()
  await expect.poll(() => filter.counts.refused, { timeout: waitMs }).toBe(100_000)
})

test('a request that cannot be understood ends the connection after the refusals before it', async () => {
  const { tool, controller, got } = await open(new ModbusFilter())
  const ended = once(controller.resume(), 'end')
  tool.write(Buffer.concat([write, hex('00030000ffff0106')]))
  const [error] = await once(tool, 'error')
  expect(error).toBeInstanceOf(FilterOver)
  expect(error.reason).toBe('unclear')
  expect(got()).toBe(`${refusal}000300000003018601`)
  await ended
})

test('half a request is counted as refused when the tool sends nothing more, and answers still come', async () => {
  const filter = new ModbusFilter()
  const { tool, controller, got } = await open(filter)
  tool.end(Buffer.concat([read, read.subarray(0, 9)]))
  const seen: Buffer[] = []
  controller.on('data', (bytes: Buffer) => seen.push(bytes))
  await once(controller, 'end')
  expect(Buffer.concat(seen)).toEqual(read)
  expect(filter.counts).toEqual({ reads: 1, writes: 0, refused: 1 })
  controller.end(answer)
  await once(tool, 'end')
  expect(got()).toBe(answer.toString('hex'))
})
