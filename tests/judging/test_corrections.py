"""Wrong statements that are quoted to be corrected; all rows written for this rule."""

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths import arithmetic
from tests.rows import each_row


def is_faulted(answer: str) -> bool:
    return any(one.status == "wrong" for one in arithmetic.check(Case("", answer)))


@each_row(
    "answer",
    [
        "Napisa\u0142e\u015b 7*8=54, a powinno by\u0107 56.",
        "Du hast 7*8=54 geschrieben, richtig ist 56.",
        "Vous avez \xe9crit 7*8=54 au lieu de 56.",
        "7*8=54 yazm\u0131\u015fs\u0131n, do\u011frusu 56.",
        "Error: 2+2=5. Correcto: 2+2=4.",
        "If one forgets the carry, 27 + 15 = 32, but the true sum is 42.",
        "| Ann | 3 + 4 = 8 | \u2717 |",
        "Has escrito 7*8=54, pero son 56.",
        "Hai scritto 7*8=54 invece di 56.",
        "Voc\xea escreveu 7*8=54, mas o certo \xe9 56.",
        "Je hebt 7*8=54 geschreven, maar het is 56.",
        "\u0412\u044b \u043d\u0430\u043f\u0438\u0441\u0430\u043b\u0438 7*8=54"
        ", \u0430 \u0434\u043e\u043b\u0436\u043d\u043e \u0431\u044b\u0442\u044c 56.",
        "Du skrev 7*8=54, men det ska vara 56.",
        "Es stimmt nicht, dass 2+2=5.",
        "Il n'est pas vrai que 2+2=5.",
        "No es verdad que 2+2=5.",
        "Non \xe8 vero che 2+2=5.",
        "The student writes 12*12=124, whereas it should come to 144.",
        "\u4f60\u5199\u4e867*8=54,\u5e94\u8be5\u662f56\u3002",
        "7*8=54\u3068\u66f8\u304d\u307e\u3057\u305f\u304c\u3001\u6b63\u3057\u304f\u306f56\u3067\u3059\u3002",
        "Instead of 7*8=54, write 7*8=56.",
        "Forgetting the carry gives 27 + 15 = 32; the correct sum is 42.",
        "Someone who forgets to carry gets 27 + 15 = 32 rather than 42.",
        "Obliczy\u0142a\u015b 15+27=32, poprawny wynik to 42.",
        "Sie haben 15+27=32 gerechnet; korrekt w\xe4re 42.",
        "Tu as mis 15+27=32, la bonne r\xe9ponse est 42.",
        "Pusiste 15+27=32, lo correcto es 42.",
        "Hai risposto 15+27=32, ma il risultato \xe8 42.",
        "In line 3 you have 15+27=32, but it is 42.",
        "| 1 | 15+27=32 | falsch |",
        "| wrong | 15+27=32 |",
        "Ai scris 15+27=32, gre\u0219it.",
        "You got 1000 + 250 = 1150, but it is 1,250.",
        "You got 0.5 + 0.25 = 0.8, but it is 0,75.",
    ],
)
def test_a_wrong_sum_that_is_corrected_is_no_claim(answer: str) -> None:
    assert not is_faulted(answer)


@each_row(
    "answer",
    [
        "Zatem 7*8=54.",
        "She has left 7*8=54.\nThus, they have a total of $45 + $56 = $101.",
        "Also 7*8=54. Das ist richtig.",
        "Donc 7*8=54, et 54+2=56.",
        "Por lo tanto 7*8=54.",
        "7*8=54, plus 2 = 56.",
        "2+2=5. Later: 2+2=4.",
        "Correcto: 2+2=5. Correcto: 3+3=6.",
        "Do not forget the carry: 27 + 15 = 32.",
        "The correct answer is 27 + 15 = 32.",
        "27 + 15 = 32. The correct answer is C.",
        "| Ann | 3 + 4 = 8 | yes |",
        "| Ann | 3 + 4 = 8 | 12 |",
        "Richtig ist 7*8=54.",
        "Do\u011frusu 7*8=54.",
        "Powinno by\u0107 7*8=54.",
        "The error is 3 + 4 = 8 percent.",
        "Du hast 7*8=56 geschrieben. Dann ist 9*9=82.",
        "Wir haben 7*8=54, aber 60 Pl\xe4tze.",
        "7*8=54, but only 50 came.",
        "Wynik: 15+27=32.",
        "Somit 15+27=32, also 32 Euro.",
        "| Total | 15+27=32 | paid |",
    ],
)
def test_a_wrong_sum_that_is_claimed_is_found(answer: str) -> None:
    assert is_faulted(answer)
