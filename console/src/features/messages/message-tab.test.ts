import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../shared/session/search.ts'
import { withMessageTab } from './message-tab.ts'
import { messageSearch } from './search.ts'

describe('the tab the message centre opens with', () => {
  it('is the one looked at last, where the address names none', () => {
    expect(withMessageTab({}, 'sent')).toEqual({ tab: 'sent' })
    expect(withMessageTab({ tab: 'device' }, 'sent')).toEqual({ tab: 'device' })
    expect(withMessageTab({}, undefined)).toEqual({ tab: 'inbox' })
  })

  it('is the inbox for a link to a message, and for what an older console remembered', () => {
    expect(withMessageTab({ message: 5 }, 'sent')).toEqual({ message: 5, tab: 'inbox' })
    expect(withMessageTab({}, 'alarm' as 'sent')).toEqual({ tab: 'inbox' })
  })

  it.each(['alarm', 'project'])('is the inbox for a link to the tab %s, which nothing fills', (tab) => {
    expect(withMessageTab(messageSearch(parseSearch(`?tab=${tab}`)), 'sent')).toEqual({ tab: 'inbox' })
  })
})
