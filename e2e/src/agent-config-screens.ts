import { agentConfig as cn } from '../../console/src/shared/i18n/cn/agent-config.ts'
import { agentConfig as en } from '../../console/src/shared/i18n/en/agent-config.ts'
import { opened } from './console-screens.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/* The drivers of a device's agent, with an agent's answers. */

export const driverTexts = { cn, en } as const

const names = {
  cn: { press: '一号压机', boiler: '锅炉', tags: ['油温', '主轴转速'], by: '李明' },
  en: { press: 'Press 1', boiler: 'Boiler', tags: ['Oil temperature', 'Spindle speed'], by: 'Ming Li' },
} as const

const hourMs = 3_600_000

/** As an agent names them. */
const refused = [
  { tag: 'Boiler/flue_gas', reason: 'no answer in time' },
  { tag: 'Boiler/reserve', reason: 'illegal data address (Modbus exception 2)' },
]

function connections({ lang }: View) {
  const { press, tags } = names[lang]
  return [
    {
      name: press,
      driver: 'opcua',
      url: 'opc.tcp://192.168.0.10:4840',
      security: 'none',
      tags: [
        {
          name: tags[0],
          group: press,
          nodeId: 'ns=2;s=Press.Oil.Temperature',
          type: 'float32',
          unit: '°C',
          deadband: 0.2,
        },
        { name: tags[1], group: press, nodeId: 'ns=2;s=Press.Spindle.Speed', type: 'float64', unit: 'rpm' },
      ],
    },
    {
      name: lang === 'cn' ? '流量计' : 'Flow meter',
      driver: 'modbus-tcp',
      host: '192.168.0.12',
      port: 502,
      tags: [
        {
          name: lang === 'cn' ? '流量' : 'Flow',
          address: 'holding:4',
          type: 'float32',
          wordOrder: 'CDAB',
          unit: 'm³/h',
        },
      ],
    },
  ]
}

function state(view: View, more: object) {
  const { press, boiler, by } = names[view.lang]
  const change = {
    by,
    state: 'applied',
    reason: '',
    restoredFrom: null,
    connectionCount: 2,
    tagCount: 3,
    isKept: true,
  }
  const [, meter] = connections(view)
  return {
    isAllowed: true,
    revision: 4,
    kinds: [
      { kind: 'modbus-tcp', explore: 'registers' },
      { kind: 'opcua', explore: 'nodes' },
    ],
    networks: ['192.168.0.0/24'],
    wideNetworks: [],
    connections: [
      {
        name: boiler,
        driver: 'modbus-tcp',
        isRemote: false,
        tagCount: 24,
        state: 'online',
        troubleCount: 23,
        troubles: refused,
      },
      {
        name: press,
        driver: 'opcua',
        isRemote: true,
        tagCount: 2,
        state: 'online',
        troubleCount: 0,
        troubles: [],
      },
      {
        name: meter?.name,
        driver: 'modbus-tcp',
        isRemote: true,
        tagCount: 1,
        state: 'offline',
        troubleCount: 0,
        troubles: [],
      },
    ],
    trial: null,
    changes: [
      {
        ...change,
        revision: 5,
        at: Date.now() - hourMs,
        state: 'rolledBack',
        reason: `no values any more from ${press}`,
      },
      { ...change, revision: 4, at: Date.now() - 26 * hourMs },
      { ...change, revision: 3, at: Date.now() - 50 * hourMs, tagCount: 2, connectionCount: 1 },
    ],
    ...more,
  }
}

const nodes = [
  {
    nodeId: 'ns=2;s=Press',
    name: 'Press',
    isVariable: false,
    hasChildren: true,
    type: null,
    isReadable: false,
    isWritable: false,
    value: null,
  },
  ...[
    ['Press.Oil.Temperature', 'float32', '48.2'],
    ['Press.Spindle.Speed', 'float64', '1180.5'],
    ['Press.Running', 'bool', 'true'],
    ['Press.Recipe', 'string', 'Cover plate 14 mm, left'],
    ['Press.Matrix', null, null],
  ].map(([name, type, value]) => ({
    nodeId: `ns=2;s=${name}`,
    name: String(name).split('.').at(-1),
    isVariable: true,
    hasChildren: false,
    type,
    isReadable: true,
    isWritable: false,
    value,
  })),
]

async function answer(view: View, more: object): Promise<void> {
  const told = (hwdata: unknown) => ({ json: { hwcode: 0, hwreason: 'OK', hwdata } })
  const registers = Array.from(
    { length: 16 },
    (_, index) => [0, 0x4148, 0x1999, 0x4247, 0, 0x447a][index % 6] ?? 0,
  )
  await view.page.route('**/api/v1/agents/**', (route, request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/document'))
      return route.fulfill(told({ revision: 4, connections: connections(view) }))
    if (pathname.endsWith('/nodes')) return route.fulfill(told({ nodes, continuation: null }))
    if (pathname.endsWith('/registers')) return route.fulfill(told({ values: registers }))
    return route.fulfill(told(state(view, more)))
  })
}

function screen(name: string, more: object, then?: (view: View) => Promise<void>): Screen {
  return {
    name: `drivers${name}`,
    signedIn: true,
    async arrive(view) {
      await answer(view, more)
      await view.page.goto(`/drivers?machineId=${opened.machineIds[view.lang]}`)
      await view.page.locator('main h2, main p').first().waitFor()
      await then?.(view)
    },
  }
}

const look = async ({ page, lang }: View, place: number): Promise<void> => {
  await page.locator('main article button[aria-expanded]').nth(place).click()
  const { nodes: browse, registers } = driverTexts[lang].look
  await page.getByRole('button', { name: place === 0 ? browse : registers }).click()
}

/**
 * The drivers: as they are, an address space, registers, a change on trial, a new connection, and a machine
 * without permission.
 */
export const agentConfigScreens: readonly Screen[] = [
  screen('', {}),
  screen('-wide', {
    networks: ['0.0.0.0/0', '169.254.0.0/16'],
    wideNetworks: ['0.0.0.0/0', '169.254.0.0/16'],
  }),
  screen('-troubles', {}, async ({ page }) => {
    await page.locator('main summary').first().click()
  }),
  screen('-nodes', {}, async (view) => {
    await look(view, 0)
    await view.page.getByText('48.2').waitFor()
  }),
  screen('-registers', {}, async (view) => {
    await look(view, 1)
    await view.page.getByText('12.5').first().waitFor()
  }),
  screen('-trial', {
    trial: { revision: 6, startedAt: Date.now(), isTold: true, waitsFor: [names.en.press] },
  }),
  screen('-add', {}, async ({ page, lang }) => {
    await page.getByRole('button', { name: driverTexts[lang].connections.add }).click()
    await page.getByRole('dialog').waitFor()
  }),
  screen('-edit', {}, async ({ page, lang }) => {
    await page.getByRole('button', { name: driverTexts[lang].connections.edit }).last().click()
    await page.getByRole('dialog').getByText(driverTexts[lang].form.transactionIds).scrollIntoViewIfNeeded()
  }),
  screen('-off', { isAllowed: false }),
]
