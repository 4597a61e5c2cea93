import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { boardsText } from '../../../shared/i18n/en/boards.ts'
import { ShareDialog } from './share-dialog.tsx'

const t = boardsText.share
let calls: string[] = []

beforeEach(() => {
  calls = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, { method = 'GET' }: RequestInit = {}) => {
    const { pathname } = new URL(String(input), location.href)
    calls.push(`${method} ${pathname}`)
    const shares = [{ id: 4, userId: 2, eid: null, name: 'Li Wei', right: 'look', at: 1, by: 'Me' }]
    const answers: Record<string, unknown> = { PUT: { id: 5 }, DELETE: {} }
    const hwdata = answers[method] ?? (pathname.endsWith('/shares') ? shares : [])
    return new Response(JSON.stringify({ hwcode: 0, hwdata }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

it('a share is listed and ended, and another is made', async () => {
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <ShareDialog board={{ id: 1, name: 'Line 1' }} onClose={() => undefined} />
    </QueryClientProvider>,
  )
  await page.getByRole('button', { name: t.removeOf('Li Wei') }).click()
  await expect.poll(() => calls).toContain('DELETE /api/v1/boards/1/shares/4')
  await page.getByRole('combobox').or(page.getByRole('textbox')).first().fill('li@busbar.test')
  await page.getByRole('radio', { name: t.rights.edit }).click()
  await page.getByRole('button', { name: t.submit, exact: true }).click()
  await expect.poll(() => calls).toContain('PUT /api/v1/boards/1/shares')
})
