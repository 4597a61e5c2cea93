import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { cn } from '../../shared/i18n/cn/index.ts'
import { en } from '../../shared/i18n/en/index.ts'
import { OtherAddressHint } from './other-address-hint.tsx'

const visit = { kind: 'page', target: 'panel', machineName: 'Press 7' } as const

it.each(['cn', 'en'] as const)(
  'names the line of the agent’s file for a part that cannot load, %s',
  async (lang) => {
    const t = { cn, en }[lang].visits.bar.otherAddress
    await render(<OtherAddressHint visit={visit} />, lang)
    await userEvent.click(page.getByRole('button', { name: t.label('Press 7') }))
    const panel = page.getByRole('dialog', { name: t.label('Press 7') })
    await expect.element(panel.getByText(t.text)).toBeVisible()
    await expect
      .element(panel.getByText('- { name: port8080, url: "http://192.168.0.20:8080" }'))
      .toBeVisible()
  },
)

it('is not there for the agent’s own page, nor for a connection of a program', async () => {
  await render(
    <>
      <OtherAddressHint visit={{ ...visit, target: 'page' }} />
      <OtherAddressHint visit={{ ...visit, kind: 'tcp' }} />
    </>,
  )
  expect(page.getByRole('button').elements()).toEqual([])
})
