import { createClient, retention } from '@busbar/contract'
import { createEnterprise, createMember } from '@busbar/testkit'
import { expect, it } from 'vitest'
import { retentionTexts } from './retention-screens.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, withView } from './view.ts'

const { site, browser, db } = await shareSite()

const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }
const t = retentionTexts.en

it(
  'a person keeps raw values for longer, shortens the averages after a question, and takes it back',
  () =>
    withView(browser, site, desk, async (view) => {
      const { page } = view
      const { token } = await signInDirectly(view, site, db)
      const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => token })
      const read = () => client.call(retention.getRetention, {})
      const days = (kind: keyof typeof t.kinds) => page.getByRole('spinbutton', { name: t.kinds[kind].name })
      const save = () => page.getByRole('button', { name: t.save }).click()
      await page.goto('/dataCenter/retention?eid=0')
      await page.getByRole('img', { name: t.kept(t.kinds.rawDays.name, '90') }).waitFor()

      await days('rawDays').fill('400')
      await save()
      await page.getByText(t.order(t.kinds.rawDays.name, '400')).waitFor()
      expect(await days('rawDays').inputValue()).toBe('400')
      await days('minuteDays').fill('400')
      await save()
      await page.getByText(t.saved).waitFor()
      expect(await read()).toEqual({ rawDays: 400, minuteDays: 400, hourDays: 1_825, next: null })

      await days('hourDays').fill('1000')
      await save()
      const dialog = page.getByRole('dialog', { name: t.confirm.title })
      const loss = { name: t.kinds.hourDays.name, count: '825', days: '1,000' }
      await dialog.getByText(t.confirm.deletes(loss)).waitFor()
      await dialog.getByRole('button', { name: view.t.app.cancel }).click()
      // The typed value is still there and can be saved.
      expect(await days('hourDays').inputValue()).toBe('1000')
      expect((await read()).next).toBeNull()
      await save()
      await dialog.getByRole('button', { name: t.confirm.action }).click()
      await page.getByText(t.next.change({ name: loss.name, from: '1,825', to: '1,000' })).waitFor()
      expect((await read()).next).toMatchObject({ rawDays: 400, minuteDays: 400, hourDays: 1_000 })

      await page.getByRole('button', { name: t.next.keep }).click()
      await page.getByText(t.next.kept).waitFor()
      await expect.poll(() => days('hourDays').inputValue()).toBe('1825')
      expect(await read()).toEqual({ rawDays: 400, minuteDays: 400, hourDays: 1_825, next: null })
      expect(view.complaints).toEqual([])
    }),
  120_000,
)

it('a member without the right sees the times, and cannot change them', () =>
  withView(browser, site, desk, async (view) => {
    const { page } = view
    const { eid } = await createEnterprise(db, 'Dairy South')
    await signInDirectly(view, site, db, await createMember(db, eid))
    await page.goto(`/dataCenter/retention?eid=${eid}`)
    await page.getByText(t.days('1,825')).waitFor()
    await page.getByText(t.readOnly('Dairy South')).waitFor()
    expect(await page.getByRole('spinbutton').count()).toBe(0)
    expect(await page.getByRole('button', { name: t.save }).count()).toBe(0)
    expect(view.complaints).toEqual([])
  }))
