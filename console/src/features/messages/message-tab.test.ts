import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../shared/session/search.ts'
import { withMessageTab } from './message-tab.ts'
import { messageSearch } from './search.ts'

describe('the tab the message centre opens with', () => {
  it('is the one looked at last, where the address names none', () => {
    expect(withMessageTab({}, undefined, 'sent')).toEqual({ tab: 'sent' })
    expect(withMessageTab({ tab: 'device' }, undefined, 'sent')).toEqual({ tab: 'device' })
    expect(withMessageTab({})).toEqual({ tab: 'inbox' })
  })

  const unread = (device: number, inbox: number, toAnswer = 0) => ({
    totalUnreadMsg: device + inbox,
    byScene: { inbox, sent: 0, alarm: 0, project: 0, device },
    toAnswer,
  })

  it('has unread messages, where any tab has', () => {
    expect(withMessageTab({}, unread(1, 0), 'inbox')).toEqual({ tab: 'device' })
    expect(withMessageTab({}, unread(1, 1), 'sent')).toEqual({ tab: 'inbox' })
    expect(withMessageTab({}, unread(1, 1), 'device')).toEqual({ tab: 'device' })
    expect(withMessageTab({ tab: 'sent' }, unread(1, 1), 'device')).toEqual({ tab: 'sent' })
  })

  it('is the inbox while a message that was read needs an answer', () => {
    expect(withMessageTab({}, unread(0, 0, 1), 'device')).toEqual({ tab: 'inbox' })
    expect(withMessageTab({}, unread(0, 0), 'device')).toEqual({ tab: 'device' })
  })

  it('is the inbox for a link to a message, and for what another console remembered', () => {
    expect(withMessageTab({ message: 5 }, undefined, 'sent')).toEqual({ message: 5, tab: 'inbox' })
    expect(withMessageTab({}, undefined, 'other')).toEqual({ tab: 'inbox' })
  })

  it.each(['alarm', 'project'])('is the %s tab for a link to it', (tab) => {
    const search = messageSearch(parseSearch(`?tab=${tab}`))
    expect(withMessageTab(search, undefined, 'sent')).toEqual({ tab })
  })
})
