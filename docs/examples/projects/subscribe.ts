// Prints the rows of a project as they come; the session keeps the place for 72 hours. Needs `npm install mqtt`.
//
// BUSBAR_KEY=… node subscribe.ts
import mqtt from 'mqtt'

const broker = process.env.BUSBAR_MQTT ?? 'mqtts://cloud.example.com:8883'
const project = process.env.BUSBAR_PROJECT ?? '4711'

const client = mqtt.connect(broker, {
  username: project,
  password: process.env.BUSBAR_KEY ?? '',
  clientId: 'erp-1',
  clean: false,
})
client.on('connect', () => client.subscribe(`data/${project}/#`, { qos: 1 }))
client.on('error', (error) => console.error(error.message))
// A row is acknowledged when this returns: until then it comes again.
client.on('message', (_topic, row) => console.log(String(row)))
