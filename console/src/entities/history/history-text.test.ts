import { expect, it } from 'vitest'
import { cn } from '../../shared/i18n/cn/index.ts'
import { en } from '../../shared/i18n/en/index.ts'
import { presetNames } from './history-span.ts'
import { presetText } from './history-text.ts'

it('writes the spans one press away as the live trend writes its own', () => {
  for (const text of [cn, en]) {
    const spans = Object.fromEntries(presetNames.map((name) => [name, presetText(name, text.history)]))
    expect(spans).toMatchObject(text.machines.trend.windows)
  }
  expect(presetText('90d', cn.history)).toBe('90 天')
})
