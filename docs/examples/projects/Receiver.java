// Receives the rows of a project: verifies every request, and prints every body once.
//
// BUSBAR_SECRET=whsec_… java Receiver.java
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    static final byte[] SECRET = Base64.getDecoder().decode(System.getenv("BUSBAR_SECRET").replaceFirst("^whsec_", ""));
    static final long TOLERANCE_S = 300;
    // The same request comes again where an answer was lost. Your database would keep these ids with the rows.
    static final Set<String> received = ConcurrentHashMap.newKeySet();

    /** Tells by the rules of Standard Webhooks whether the platform sent this body now. */
    static boolean isGenuine(Headers headers, byte[] body) throws Exception {
        String id = headers.getFirst("webhook-id");
        String sentAt = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || signatures == null || sentAt == null || !sentAt.matches("\\d{1,12}")) return false;
        if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(sentAt)) > TOLERANCE_S) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
        mac.update((id + "." + sentAt + ".").getBytes(StandardCharsets.UTF_8));
        byte[] wanted = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
        // While the secret is changed there is a signature for each of the two.
        for (String signature : signatures.split(" "))
            if (MessageDigest.isEqual(signature.getBytes(), wanted)) return true;
        return false;
    }

    /** The place for your own database. An answer of 2xx means that these rows are yours. */
    static void store(String rows) {
        System.out.println(rows.stripTrailing());
    }

    static void receive(HttpExchange exchange) {
        try (exchange) {
            Headers headers = exchange.getRequestHeaders();
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (!isGenuine(headers, body)) {
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            String id = headers.getFirst("webhook-id");
            if (!received.contains(id)) {
                if ("gzip".equals(headers.getFirst("content-encoding")))
                    body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
                store(new String(body, StandardCharsets.UTF_8));
                received.add(id);
            }
            exchange.sendResponseHeaders(204, -1);
        } catch (Exception error) {
            // Without an answer the request comes again.
            error.printStackTrace();
        }
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8000"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", Receiver::receive);
        server.start();
    }
}
