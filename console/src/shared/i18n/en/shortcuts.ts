import type { Text } from '../text.ts'

export const shortcuts: Text['shortcuts'] = {
  title: 'Keyboard shortcuts',
  button: 'Keyboard shortcuts',
  groups: { everywhere: 'Everywhere', list: 'Device list', within: 'Filters, tabs and set-points' },
  does: {
    jump: 'Jump to a device or page',
    help: 'Show this list',
    close: 'Close the open panel',
    search: 'Search devices',
    move: 'Next / previous device',
    rows: 'One row up or down',
    ends: 'First / last row',
    pages: 'One screen up or down',
    open: 'Open the details',
    choices: 'Previous / next choice',
    step: 'Increase or decrease a set-point',
    write: 'Write a set-point',
    cancel: 'Discard the change',
  },
}
