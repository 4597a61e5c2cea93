// Pulls the rows of a project and prints each answer; the file `cursor` remembers the place.
//
// BUSBAR_KEY=… java Pull.java
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Pull {
    static final String ADDRESS = System.getenv().getOrDefault("BUSBAR_ADDRESS", "https://cloud.example.com");
    static final String PROJECT = System.getenv().getOrDefault("BUSBAR_PROJECT", "4711");
    static final String LOGIN =
        Base64.getEncoder().encodeToString((PROJECT + ":" + System.getenv("BUSBAR_KEY")).getBytes());
    static final Path PLACE = Path.of("cursor");
    // The cursor stands after the rows. A JSON library would read both.
    static final Pattern CURSOR = Pattern.compile(".*\"cursor\":\"([^\"]*)\"", Pattern.DOTALL);

    public static void main(String[] arguments) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        String cursor = Files.exists(PLACE) ? Files.readString(PLACE) : "";
        while (true) {
            // The platform waits up to 10 s for a first row.
            String query = "?wait=10&limit=1000";
            if (!cursor.isEmpty()) query += "&cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8);
            HttpRequest request = HttpRequest.newBuilder(URI.create(ADDRESS + "/api/project/v1/data" + query))
                .header("authorization", "Basic " + LOGIN)
                .build();
            String answer = client.send(request, BodyHandlers.ofString()).body();
            boolean isOk = answer.contains("\"hwreason\":\"OK\"");
            // After CURSOR_TOO_OLD the rows in between are in history only: from this cursor on they come again.
            if (!isOk && !answer.contains("\"hwreason\":\"CURSOR_TOO_OLD\"")) {
                System.err.println(answer);
                System.exit(1);
            }
            (isOk ? System.out : System.err).println(answer);
            Matcher found = CURSOR.matcher(answer);
            if (!found.lookingAt()) throw new IllegalStateException(answer);
            cursor = found.group(1);
            // Kept after the rows are stored: at the next start none is missing.
            Files.writeString(PLACE, cursor);
        }
    }
}
