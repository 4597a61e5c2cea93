import { Agent } from 'node:http'
import { alarmLimits, alarmRules, createClient, onboarding } from '@busbar/contract'
import { call, repeat } from './attack-calls.ts'
import type { AttackTarget } from './attack-target.ts'

const connections = 16
const rulesOfLoop = 10
const fileBytesMax = 480_000
const json = { 'content-type': 'application/json' }

/**
 * Strangers request the pages of mail links, confirm on them, report deliveries, and ask setup links for scripts and
 * secrets, with invented tokens.
 */
export async function pressLinks(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let turn = 0
  const sent = await repeat(connections, isOver, () => {
    const token = String(++turn).padStart(43, 'x')
    const pages = ['link', 'unsubscribe', 'contact/confirm'].map((page) => `/api/v1/alarm/${page}/${token}`)
    const setup = `/api/v1/setup/${token}`
    if (turn % 3 === 0)
      return turn % 2
        ? call(order, agent, { path: setup })
        : call(order, agent, { method: 'POST', path: `${setup}/secret`, headers: json, body: '{}' })
    const path = [...pages, `/api/v1/sms/receipts/${token}`][turn % 4] as string
    const isRead = turn % 4 < 3 && turn % 8 < 4
    if (isRead) return call(order, agent, { path })
    const reports = Array.from({ length: alarmLimits.smsReportsMax }, (_, n) => ({
      biz_id: `${turn}-${n}`,
      success: false,
    }))
    return call(order, agent, { method: 'POST', path, headers: json, body: JSON.stringify({ reports }) })
  })
  agent.destroy()
  return sent
}

/** A person registers machines as fast as they can. */
export async function registerMachines(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers = { ...json, token: order.token }
  let turn = 0
  const sent = await repeat(connections, isOver, () =>
    call(order, agent, {
      method: 'POST',
      path: onboarding.connectMachine.path,
      headers,
      body: JSON.stringify({ name: `Press ${++turn}`, kind: 'agent' }),
    }),
  )
  agent.destroy()
  return sent
}

/** A person imports files as long as they may be, of rules that fit, of lines that do not, and of one endless line. */
export async function importRules(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const heading = 'group,tag,kind,op,limit,level,cn,en'
  const fileOf = (line: string) =>
    `${heading}\n${`${line}\n`.repeat(Math.floor(fileBytesMax / (line.length + 1)))}`
  const files = [
    fileOf(',t1,threshold,>,5,info,a,b'),
    fileOf('x'),
    fileOf(`,t1,all,,,,"${'['.repeat(10_000)}"`),
  ]
  const bodies = files.map((csv) => JSON.stringify({ machineId: order.machineId, csv }))
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers = { ...json, token: order.token }
  let turn = 0
  const sent = await repeat(connections, isOver, () =>
    call(order, agent, {
      method: 'POST',
      path: '/api/v1/alarm/rules/csv',
      headers,
      body: bodies[turn++ % bodies.length] as string,
    }),
  )
  agent.destroy()
  return sent
}

/** A person adds rules to a machine and removes them: every node that evaluates them reads each change. */
export async function changeRules(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const baseUrl = `http://127.0.0.1:${order.webPort}`
  const client = createClient({ baseUrl, lang: () => 'en', token: () => order.token })
  const kept = Array.from({ length: connections }, (): number[] => [])
  return repeat(connections, isOver, async (loop) => {
    const ids = kept[loop] as number[]
    if (ids.length >= rulesOfLoop) {
      for (const id of ids.splice(0)) await client.call(alarmRules.deleteAlarmRule, { id })
      return rulesOfLoop
    }
    const { id } = await client.call(alarmRules.createAlarmRule, {
      machineId: order.machineId,
      kind: 'threshold',
      tagId: order.tagIds[loop % order.tagIds.length] as number,
      op: '>',
      limit: 5,
      deadband: 0,
      level: 'major',
      text: { cn: '{tag} 过高', en: '{tag} is too high' },
    })
    ids.push(id)
    return 1
  })
}
