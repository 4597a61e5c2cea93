import type { examplesText as cn } from '../cn/project-examples.ts'

export const examplesText: typeof cn = {
  language: 'Language',
  languages: { sh: 'curl', ts: 'TypeScript', py: 'Python', java: 'Java' },
  copy: (file) => `Copy ${file}`,
  tasks: {
    receive: {
      title: 'Receive a webhook and verify its signature',
      steps: [
        'Add the https address of your receiver under Destinations, and keep the secret (whsec_…) that is shown once.',
        'Each request has the three headers of Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature. The signature is an HMAC-SHA256 over id.timestamp.body, with the body as it came: before it’s decompressed.',
        'Answer 401 if the signature differs or the time is more than 5 minutes away. Store the rows, then answer 204: a request without a 2xx within 15 seconds comes again with the same webhook-id.',
        'The libraries of Standard Webhooks in your language do the same.',
      ],
    },
    pull: {
      title: 'Pull rows with a cursor',
      steps: [
        'Sign in with Basic: the project’s id and its key.',
        'Each answer has a cursor. Keep it after you stored the rows and send it next time, and you miss no row.',
        'A request without new rows is answered after up to 10 seconds. If the cursor is too old, the error has the oldest one that works.',
      ],
    },
    subscribe: {
      title: 'Subscribe by MQTT',
      steps: [
        'The user name is the project’s id, the password its key, the topic data/ID/#.',
        'With a fixed client id and without a clean session the platform keeps your place for 72 hours: rows of that time follow. A clean session gets live rows only.',
        'A project has at most 5 client ids.',
      ],
    },
    embed: {
      title: 'Embed a device in your portal',
      steps: [
        'Turn it on under Embedding, and enter the origin of your portal, such as https://portal.example.com.',
        'Your server asks for an address with the project’s key, which never goes into a page. The address is for one use within 60 seconds.',
        'Put it into an iframe. The visit is one of the member whose account you name, and read-only until the Akey of the device consents.',
      ],
    },
  },
}
