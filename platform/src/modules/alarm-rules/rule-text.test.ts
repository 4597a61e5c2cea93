import { expect, test } from 'vitest'
import { fillTexts, type TextValues } from './rule-text.ts'

const values: TextValues = {
  value: 1,
  limit: 80.5,
  unit: '°C',
  scale: 1,
  words: { cn: { true: '开' }, en: { true: 'on' } },
  label: { cn: '油温', en: 'Oil' },
  tag: 'oil',
}

test('a text names the variable, its value and the limit as each reader knows them', () => {
  const text = { cn: '{tag}：{value}，限值 {limit} {unit}', en: '{tag} {value} {other}' }
  expect(fillTexts(text, values)).toEqual({ cn: '油温：开，限值 80.5 °C', en: 'Oil on {other}' })
})

test('a rule with a text in one language tells people of the other the same', () => {
  expect(fillTexts({ cn: '{tag}{value}', en: ' ' }, values)).toEqual({ cn: '油温开', en: '油温开' })
  expect(fillTexts({ cn: '', en: '{tag} {value}' }, values)).toEqual({ cn: 'Oil on', en: 'Oil on' })
})
