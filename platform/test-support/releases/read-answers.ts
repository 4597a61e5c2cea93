import { createHash } from 'node:crypto'
import { type Client, enterprises, machines, messages, telemetry, visits } from '@busbar/contract'

const hourMs = 3_600_000
const pointsMax = 5_000
/** Tags of each machine whose samples are compared. */
const tagsRead = 3

/**
 * Reads, as one person, the answers that the data of a release gives: the list, and of each machine the person holds
 * its tags, newest values, samples of one hour and writes; the spaces and the messages. Every later version gives the
 * same answers for the same data. `until` is the instant of the backup in epoch milliseconds.
 */
export async function readAnswers(client: Client, until: number) {
  const listed = await client.call(machines.listMachines, { version: '' })
  if (!('list' in listed)) throw new Error('a list that is asked for without a version is not told')
  const list = listed.list.map(
    ({ machine_id, machine_name, machine_code, machine_remark, role, groups }) => ({
      machine_id,
      machine_name,
      machine_code,
      machine_remark,
      role,
      groups,
    }),
  )
  const details = []
  for (const { machine_id, role } of list) {
    if (role === 'akey' || role === 'bkey') details.push(await readMachine(client, machine_id, until))
  }
  const spaces = await client.call(enterprises.listUserEnterprises, {})
  const inbox = await client.call(messages.listMessages, { scene: 'inbox', page: 1 })
  return {
    list,
    details,
    spaces: spaces.map(({ eid, name }) => ({ eid, name })),
    messages: inbox.list.map(({ type, machine, created_at }) => ({
      type,
      code: machine?.machineCode,
      created_at,
    })),
  }
}

async function readMachine(client: Client, machineId: number, until: number) {
  const tags = await client.call(telemetry.listTags, { machineId })
  const latest = await client.call(telemetry.listLatest, { machineId })
  const writes = await client.call(visits.listMachineWrites, { machineId, page: 1 })
  const samples = []
  for (const { tagId } of tags.slice(0, tagsRead)) {
    const history = await client.call(telemetry.getHistory, {
      tagIds: [tagId],
      from: until - hourMs,
      to: until,
      agg: 'raw',
      points: pointsMax,
    })
    const points = history.series.flatMap((series) => series.points)
    // Thousands of points are compared by their sum; the first and last points help to find a difference.
    const sum = createHash('sha256').update(JSON.stringify(points)).digest('hex')
    samples.push({ tagId, count: points.length, first: points[0], last: points.at(-1), sum })
  }
  return {
    machineId,
    tags: tags.map(({ tagId, group, name, type, unit, readOnly }) => ({
      tagId,
      group,
      name,
      type,
      unit,
      readOnly,
    })),
    latest: latest.map(({ tagId, value, time }) => ({ tagId, value, time })),
    writes: writes.list.map(({ tagId, from, to, state, at }) => ({ tagId, from, to, state, at })),
    samples,
  }
}
