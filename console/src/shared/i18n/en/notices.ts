import type { Text } from '../text.ts'

export const notices: Text['notices'] = {
  label: 'Notices',
  undo: 'Undo',
  dismiss: 'Dismiss notice',
  noPage: 'That page doesn’t exist',
  tokenInvalid: 'Invalid token (Token expired), Please log in again.',
  noPermission: 'Invalid token (Token expired), no permission to access! Please log in again.',
  serverApi: 'Server-api Error',
  http: {
    400: 'Api Request Error(400)',
    403: 'Access denied(403)',
    404: 'Request error(404)',
    408: 'The platform took too long',
    500: 'Server Error (500)',
    501: 'Service not implemented (501)',
    502: 'Network Error (502)',
    503: 'Service Unavailable (503)',
    504: 'Network Timeout (504)',
    505: 'HTTP version not supported (505)',
  },
  other: (status) => `Connecting error(${status})!`,
  network: 'Network or interface error!',
  copied: 'Copied',
  copyFailed: 'Couldn’t copy. Select the text and copy it manually.',
}
