import type { telemetry } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { firstTrendTags, listVariables, matchesTag, sortTags } from './tag-list.ts'

let lastId = 0
function tag(change: Partial<telemetry.Tag>): telemetry.Tag {
  lastId++
  return {
    tagId: lastId,
    group: '',
    wireGroup: '',
    tag: `t${lastId}`,
    name: `Tag ${lastId}`,
    type: 'float64',
    unit: '',
    scale: null,
    readOnly: true,
    min: null,
    max: null,
    lastAt: null,
    ...change,
  }
}

const shape = (items: ReturnType<typeof listVariables>) =>
  items.map((item) => (item.kind === 'group' ? `# ${item.name} ${item.count}` : item.tag.name))

describe('the list of variables', () => {
  const mould = tag({ group: 'Mould', name: 'Mould temp.', tag: 'MT1' })
  const drive = tag({ group: 'Drive', name: 'Speed' })
  const bearing = tag({ group: 'Mould', name: 'Bearing temp.' })

  it('gathers groups in the order the machine names them', () => {
    expect(shape(listVariables([mould, drive, bearing], ''))).toEqual([
      '# Mould 2',
      'Mould temp.',
      'Bearing temp.',
      '# Drive 1',
      'Speed',
    ])
  })

  it('leaves groups out that a search empties', () => {
    expect(shape(listVariables([mould, drive, bearing], 'temp'))).toEqual([
      '# Mould 2',
      'Mould temp.',
      'Bearing temp.',
    ])
  })

  it('has no header for tags without groups', () => {
    expect(shape(listVariables([tag({ name: 'A' })], ''))).toEqual(['A'])
  })

  it("finds by the machine's own name and group as well", () => {
    expect(matchesTag(mould, 'mt1')).toBe(true)
    expect(matchesTag(drive, 'drive/')).toBe(true)
    expect(matchesTag(drive, 'mould')).toBe(false)
  })
})

describe('a trend begins', () => {
  const text = tag({ type: 'string' })
  const flag = tag({ type: 'bool' })
  const value = tag({ type: 'float64' })

  it('with the key value', () => expect(firstTrendTags([value, flag], flag.tagId)).toEqual([flag.tagId]))
  it('with the first number where the key value is text', () =>
    expect(firstTrendTags([text, flag, value], text.tagId)).toEqual([value.tagId]))
  it('with what there is', () => expect(firstTrendTags([text, flag], null)).toEqual([flag.tagId]))
  it('with nothing of only text', () => expect(firstTrendTags([text], null)).toEqual([]))
})

describe('the order of variables', () => {
  const names = ['Zone 10', 'Zone 2', 'Zone 1', 'Pressure']
  const tags = names.map((name) => tag({ name, group: name === 'Pressure' ? 'Hydraulics' : 'Zones' }))
  const sorted = (order: Parameters<typeof sortTags>[1]) =>
    sortTags(tags, order, 'en').map(({ name }) => name)

  it('is that of the machine until one sorts', () => {
    expect(sorted('machine')).toEqual(names)
  })

  it('counts zones by their number, up and down', () => {
    expect(sorted('ascending')).toEqual(['Pressure', 'Zone 1', 'Zone 2', 'Zone 10'])
    expect(sorted('descending')).toEqual(['Zone 10', 'Zone 2', 'Zone 1', 'Pressure'])
  })
})
