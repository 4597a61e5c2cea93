import type { Sample, Tag } from '../tag.ts'

/** A plain tag; `fields` changes what a test is about. */
export function buildTag(fields: Partial<Tag> = {}): Tag {
  return {
    group: '',
    name: 'tag',
    type: 'float64',
    displayName: {},
    readOnly: true,
    keyTag: false,
    factor: 1,
    offset: 0,
    deadband: 0,
    heartbeatMs: 60_000,
    ...fields,
  }
}

/** A good sample of tag 0. */
export function buildSample(fields: Partial<Sample> = {}): Sample {
  return { tag: 0, at: 1_760_000_000_000, value: 1, quality: 192, ...fields }
}
