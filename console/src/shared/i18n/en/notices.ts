import type { Text } from '../text.ts'

export const notices: Text['notices'] = {
  label: 'Notices',
  undo: 'Undo',
  dismiss: 'Dismiss notice',
  noPage: 'That page doesn’t exist',
  sessionOver: 'Your session has ended. Sign in again.',
  http: {
    400: 'The platform didn’t accept this. Reload the page and try again.',
    403: 'You don’t have permission for this',
    404: 'The item doesn’t exist',
    408: 'The platform took too long',
    429: 'Too many attempts. Try again in a minute.',
  },
  failed: 'The platform ran into an error. Try again later.',
  unreachable: 'The platform can’t be reached. Check the network.',
  copied: 'Copied',
  copyFailed: 'Couldn’t copy. Select the text and copy it manually.',
}
