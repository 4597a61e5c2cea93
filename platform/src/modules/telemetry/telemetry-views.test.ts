import { expect, test } from 'vitest'
import { TagState, unknownMeta } from './tag-state.ts'
import { presentTag } from './telemetry-views.ts'

const tagWith = (label: Record<string, string>) =>
  new TagState(7, 'Cycle', 'phase', 1, 'string', { ...unknownMeta, label })

test('a machine’s groups and words are shown in the reader’s language', () => {
  const tag = tagWith({
    ...{ cn: '工序', en: 'Phase', 'group/cn': '循环', 'group/en': 'Cycle time' },
    ...{ 'words/cn': '{"clamp":"合模"}', 'words/en': '{"clamp":"Clamp"}' },
  })
  expect(presentTag(tag, 'cn')).toMatchObject({
    ...{ group: '循环', wireGroup: tag.group, name: '工序', enum: { clamp: '合模' } },
  })
  expect(presentTag(tag, 'en')).toMatchObject({
    group: 'Cycle time',
    name: 'Phase',
    enum: { clamp: 'Clamp' },
  })
})

test.each(['', 'no JSON', '[1]', 'null', '"text"', '{"clamp":5}'])(
  'words that are %s are ignored',
  (words) => {
    expect(presentTag(tagWith({ 'words/en': words }), 'en').enum ?? {}).toEqual({})
  },
)
