import { onboarding } from '@busbar/contract'
import { connect as cn } from '../../console/src/shared/i18n/cn/connect.ts'
import { connect as en } from '../../console/src/shared/i18n/en/connect.ts'
import { opened } from './console-screens.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/* The connecting of a controller, with the answers of a platform that registers one: a real one would fill the limit. */

export const connectTexts = { cn, en } as const

type Kind = onboarding.OnboardingKind

const names = { cn: '灌装线', en: 'Filling line' } as const
const code = '8600512904417730265'

async function answer({ page, lang }: View, kind: Kind, isConnected: boolean): Promise<void> {
  const machineId = opened.machineIds[lang]
  const told = (hwdata: unknown) => ({ json: { hwcode: 0, hwreason: 'OK', hwdata } })
  const expireAt = Date.now() + onboarding.setupLinkMinutes * 60_000
  const isAgent = kind === 'agent'
  await page.route('**/api/v1/onboarding**', (route) => {
    if (route.request().method() === 'GET') return route.fulfill(told({ used: 2, max: 20 }))
    return route.fulfill(
      told({
        ...{ machineId, machineCode: code, password: 'Amber-Ridge-52' },
        secret: isAgent ? null : 'pQ2dX7vJ0mB4sK9wT6yN1cF8hR3gL5aZ',
        link: isAgent
          ? {
              setupUrl:
                'https://console.busbar.example/api/v1/setup/q8sVJ2nYk4XcT0LrWb6mPZeA1fGdHu9iQoC5tS7vEx3',
              expireAt,
            }
          : null,
        addresses: {
          ...{ host: 'console.busbar.example', mqttPort: null, mqttsPort: 8883 },
          webSocketUrl: 'wss://console.busbar.example/mqtt',
          ingestUrl: 'https://console.busbar.example/api/v1/ingest',
        },
      }),
    )
  })
  await page.route('**/api/v1/onboarding/*', (route) =>
    route.fulfill(
      told({
        kind,
        link: isAgent ? { expireAt, askedAt: null, acknowledgedAt: null } : null,
        connectedAt: isConnected ? Date.now() : null,
      }),
    ),
  )
}

async function register(view: View, kind: Kind, isConnected = false): Promise<void> {
  const { page, lang } = view
  const t = connectTexts[lang]
  await answer(view, kind, isConnected)
  await page.goto('/connect')
  await page.getByRole('textbox', { name: t.form.name }).fill(names[lang])
  await page.getByRole('radio', { name: t.kinds[kind].name }).check()
  await page.getByRole('button', { name: t.form.submit }).click()
  const end = isConnected ? t.arrival.connected : t.arrival.waiting
  await page.getByText(end, { exact: true }).waitFor()
}

const screen = (name: string, arrive: Screen['arrive']): Screen => ({ name, signedIn: true, arrive })

/** Each step: the kinds, what a kind needs, the end. */
export const connectScreens: readonly Screen[] = [
  screen('connect', async ({ page, lang }) => {
    await page.goto('/connect')
    await page.getByRole('textbox', { name: connectTexts[lang].form.name }).waitFor()
  }),
  screen('connect-agent', (view) => register(view, 'agent')),
  screen('connect-mqtt', (view) => register(view, 'mqtt')),
  screen('connect-http', (view) => register(view, 'http')),
  screen('connect-done', (view) => register(view, 'agent', true)),
]
