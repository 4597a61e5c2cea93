// Asks for the address of a visit, for one use within 60 seconds: <iframe src="ADDRESS"></iframe>.
//
// BUSBAR_KEY=… java Embed.java ACCOUNT MACHINE_CODE
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Embed {
    static final String ADDRESS = System.getenv().getOrDefault("BUSBAR_ADDRESS", "https://cloud.example.com");
    // A JSON library would read it.
    static final Pattern URL = Pattern.compile("\"url\":\"([^\"]*)\"");

    static String field(String name, String value) {
        return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /** The address of a visit of the named member. The key stays on your server. */
    static String askForVisit(String account, String machineCode) throws Exception {
        String form = String.join("&",
            field("privateKey", System.getenv("BUSBAR_KEY")),
            field("account", account),
            field("machineCode", machineCode),
            field("platform", "portal"));
        HttpRequest request = HttpRequest.newBuilder(URI.create(ADDRESS + "/api/project/getProjectMachineVisitUrl"))
            .header("content-type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
        String answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
        Matcher found = URL.matcher(answer);
        if (!found.find()) throw new IllegalStateException(answer);
        return found.group(1);
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(askForVisit(arguments[0], arguments[1]));
    }
}
