import { describe, expect, it } from 'vitest'
import { noFace } from '../session/space-face.ts'
import { headerNames } from './header-names.ts'

const foundry = { ...noFace, enterprise: 'Foundry North' }

describe('the name in the header', () => {
  it('is the enterprise’s in an enterprise, not only where it renamed the platform', () => {
    expect(headerNames('Busbar', foundry, false)).toEqual({ platform: '', enterprise: 'Foundry North' })
  })

  it('is the enterprise’s behind its own name of the platform, where there is room', () => {
    const face = { ...foundry, name: 'FoundryCloud' }
    const both = { platform: 'FoundryCloud', enterprise: 'Foundry North' }
    expect(headerNames('Busbar', face, false)).toEqual(both)
    expect(headerNames('Busbar', face, true)).toEqual({ platform: '', enterprise: 'Foundry North' })
  })

  it('appears once if both are the same', () => {
    const face = { ...foundry, name: 'Foundry North' }
    expect(headerNames('Busbar', face, false)).toEqual({ platform: '', enterprise: 'Foundry North' })
  })

  it('is the brand’s in the personal space', () => {
    expect(headerNames('Busbar', noFace, false)).toEqual({ platform: 'Busbar', enterprise: '' })
  })
})
