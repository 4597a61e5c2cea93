import { expect, it } from 'vitest'
import { app as cn } from './cn/app.ts'
import { app as en } from './en/app.ts'

it('joins the sentences of the notice of a lost connection as the language does: no space in Chinese', () => {
  expect(cn.link.asOf('15:13:02', cn.link.lost.body)).not.toMatch(/[。，] /)
  expect(en.link.asOf('15:13:02', en.link.lost.body)).toMatch(/15:13:02\. [A-Z]/)
})
