// Prints the rows of a project as they come; the session keeps the place for 72 hours. Needs Eclipse Paho's jar
// (org.eclipse.paho.client.mqttv3).
//
// BUSBAR_KEY=… java -cp org.eclipse.paho.client.mqttv3.jar Subscribe.java
import org.eclipse.paho.client.mqttv3.IMqttDeliveryToken;
import org.eclipse.paho.client.mqttv3.MqttCallback;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;

public class Subscribe {
    // Paho names the transport, not the protocol: ssl with TLS, tcp without.
    static final String BROKER = System.getenv()
        .getOrDefault("BUSBAR_MQTT", "mqtts://cloud.example.com:8883")
        .replaceFirst("^mqtts:", "ssl:")
        .replaceFirst("^mqtt:", "tcp:");
    static final String PROJECT = System.getenv().getOrDefault("BUSBAR_PROJECT", "4711");

    static class Rows implements MqttCallback {
        /** A row is acknowledged when this returns: until then it comes again. */
        public void messageArrived(String topic, MqttMessage row) {
            System.out.println(row);
        }

        public void connectionLost(Throwable cause) {
            System.err.println(cause.getMessage());
        }

        public void deliveryComplete(IMqttDeliveryToken token) {}
    }

    public static void main(String[] arguments) throws Exception {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setUserName(PROJECT);
        options.setPassword(System.getenv("BUSBAR_KEY").toCharArray());
        options.setCleanSession(false);
        options.setAutomaticReconnect(true);
        MqttClient client = new MqttClient(BROKER, "erp-1", new MemoryPersistence());
        // Before it connects: rows that waited come at once.
        client.setCallback(new Rows());
        client.connect(options);
        client.subscribe("data/" + PROJECT + "/#", 1);
    }
}
