//! Addresses of many countries, and what looks like one.
#![expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]

use super::{Reader, anchors, around_code, around_number, around_word};
use crate::canonical::Words;

/// The longest address that is found from any word or number.
fn found(text: &str) -> &str {
    let anchors: Vec<&str> = anchors().collect();
    let mut best = "";
    for word in Words::of(text) {
        let value = &text[word.range()];
        let mut hits = Vec::new();
        if value.starts_with(|c: char| c.is_ascii_digit()) {
            hits.extend(around_number(&mut Reader::new(text), word.start()));
        }
        if value.bytes().any(|byte| byte.is_ascii_digit()) {
            hits.extend(around_code(&mut Reader::new(text), word.start()));
        }
        if anchors.contains(&value.to_lowercase().as_str()) {
            hits.extend(around_word(&mut Reader::new(text), word.start()));
        }
        for span in hits {
            if span.len() > best.len() {
                best = &text[span.range()];
            }
        }
    }
    best
}

#[test]
fn addresses_of_many_countries_end_where_they_end() {
    for (text, address) in [
        ("I live at 12 Elm Street, Springfield, IL 62704 since May.", "12 Elm Street, Springfield, IL 62704"),
        ("at 221B Baker Street, London NW1 6XE.", "221B Baker Street, London NW1 6XE"),
        ("1600 Pennsylvania Avenue is white", "1600 Pennsylvania Avenue"),
        ("send to 7 Google Drive, Austin, TX 78701", "7 Google Drive, Austin, TX 78701"),
        ("ship: 177 Diaz Ports, Samuelville, LA 71549 now", "177 Diaz Ports, Samuelville, LA 71549"),
        ("at 5 Ryan Mountain, Stuarthaven, E8 1QZ please", "5 Ryan Mountain, Stuarthaven, E8 1QZ"),
        ("Flat 3, 12 High Street, Leeds LS1 4AB", "Flat 3, 12 High Street, Leeds LS1 4AB"),
        (
            "to 3290 Zachary Crest Suite 582, Johnsonfort, MP 87634.",
            "3290 Zachary Crest Suite 582, Johnsonfort, MP 87634",
        ),
        ("111 Wellington St, Ottawa, ON K1A 0A9", "111 Wellington St, Ottawa, ON K1A 0A9"),
        ("12 Harbour Road, Sydney NSW 2000", "12 Harbour Road, Sydney NSW 2000"),
        ("51/03, Bhat Nagar, Shahjahanpur-337717", "51/03, Bhat Nagar, Shahjahanpur-337717"),
        ("P.O. Box 123, Springfield, IL 62704", "P.O. Box 123, Springfield, IL 62704"),
        ("write to PO Box 99", "PO Box 99"),
        ("Unit 5022 Box 1225\nDPO AE 44085", "Unit 5022 Box 1225\nDPO AE 44085"),
        ("meet at USS Example, FPO AP 62200", "USS Example, FPO AP 62200"),
        ("Postfach 12 34, 10115 Berlin", "Postfach 12 34, 10115 Berlin"),
        ("chez moi, 12 rue des Lilas, 69003 Lyon, merci", "12 rue des Lilas, 69003 Lyon"),
        ("4 bis, avenue de l'Opéra", "4 bis, avenue de l'Opéra"),
        ("boulevard Pottier, 59509 Lille", "boulevard Pottier, 59509 Lille"),
        ("vivo en Calle de Alcalá, 42, 28014 Madrid.", "Calle de Alcalá, 42, 28014 Madrid"),
        ("C/ Manuel Silvela nº 2, 6º A 28014 Madrid.", "C/ Manuel Silvela nº 2, 6º A 28014 Madrid"),
        ("Av. Galaxia 6, esc. 2, 2ºb 28023", "Av. Galaxia 6, esc. 2, 2ºb 28023"),
        ("C/ Choupana, s/n. 15706 Santiago", "C/ Choupana, s/n. 15706 Santiago"),
        ("Calle 45 # 12-34, Bogotá", "Calle 45 # 12-34"),
        ("Rambla Nicolasa Busquets 60, Cuenca, 32028", "Rambla Nicolasa Busquets 60, Cuenca, 32028"),
        ("abito in Via Roma 12, 00184 Roma", "Via Roma 12, 00184 Roma"),
        ("Via XX Settembre 5, 20121 Milano MI", "Via XX Settembre 5, 20121 Milano MI"),
        ("Rua Augusta, nº 1500, 01305-100 São Paulo", "Rua Augusta, nº 1500, 01305-100 São Paulo"),
        ("Rua 7 de Setembro, 1500", "Rua 7 de Setembro, 1500"),
        ("nach Hauptstraße 5, 10115 Berlin bitte", "Hauptstraße 5, 10115 Berlin"),
        ("Hauptstr. 5, 2. OG, 10115 Berlin", "Hauptstr. 5, 2. OG, 10115 Berlin"),
        ("Berliner Straße 12a ist", "Berliner Straße 12a"),
        ("Kalverstraat 92, 1012 PH Amsterdam", "Kalverstraat 92, 1012 PH Amsterdam"),
        ("Aidenweg 201, 8566PZ, Zandhuizen", "Aidenweg 201, 8566PZ, Zandhuizen"),
        ("ul. Długa 7/9, 00-238 Warszawa", "ul. Długa 7/9, 00-238 Warszawa"),
        ("bytem Dlouhá 14, 110 00 Praha 1, a", "Dlouhá 14, 110 00 Praha 1"),
        ("Kossuth Lajos utca 12., 1053 Budapest", "Kossuth Lajos utca 12., 1053 Budapest"),
        (
            "Str. Mihai Eminescu nr. 5, bl. 3, ap. 12, 010511 București",
            "Str. Mihai Eminescu nr. 5, bl. 3, ap. 12, 010511 București",
        ),
        ("Backvägen 718, 61480 Luleå", "Backvägen 718, 61480 Luleå"),
        ("Storgatan 5 i", "Storgatan 5"),
        ("Karl Johans gate 22, 0159 Oslo", "Karl Johans gate 22, 0159 Oslo"),
        ("Mannerheimintie 5 A 12, 00100 Helsinki", "Mannerheimintie 5 A 12, 00100 Helsinki"),
        ("Atatürk Caddesi No: 15, 34000 İstanbul", "Atatürk Caddesi No: 15, 34000 İstanbul"),
        ("ул. Ленина, д. 5, кв. 12", "ул. Ленина, д. 5, кв. 12"),
        (
            "с. Невинномысск, пер. Горный, д. 480 к. 13, 417605",
            "с. Невинномысск, пер. Горный, д. 480 к. 13, 417605",
        ),
        ("вул. Хрещатик, 22, 01001 Київ", "вул. Хрещатик, 22, 01001 Київ"),
        ("Jl. Sudirman No. 5, Jakarta 10220", "Jl. Sudirman No. 5, Jakarta 10220"),
        ("شارع الملك فهد 12", "شارع الملك فهد 12"),
        (
            "  David Ray\n  1150 Stephens Run\n  04678 East Teresafurt\nVAT",
            "1150 Stephens Run\n  04678 East Teresafurt",
        ),
        ("Gregorio Marañón. Doctor Esquerdo, 46. 28007 Madrid.", "Doctor Esquerdo, 46. 28007 Madrid"),
        ("Carretera del Rosario S/N. 38010 Santa Cruz", "Carretera del Rosario S/N. 38010 Santa Cruz"),
        ("José Achotegui s/n 01009 Vitoria", "José Achotegui s/n 01009 Vitoria"),
        ("lives at 119 Countess Close.", "119 Countess Close"),
        ("boulevard Pottier, 59509 ChevalierVille", "boulevard Pottier, 59509 ChevalierVille"),
        ("12 Place de la Bourse", "12 Place de la Bourse"),
        (
            "Alameda Clara da Mota, 22, Leonina, 58738071 Pacheco / CE",
            "Alameda Clara da Mota, 22, Leonina, 58738071 Pacheco / CE",
        ),
        ("573, rue de Payet\n  37277 Sainte Inès", "573, rue de Payet\n  37277 Sainte Inès"),
    ] {
        assert_eq!(found(text), address, "{text}");
    }
}

#[test]
fn addresses_of_more_countries() {
    for (text, address) in [
        ("IE: 91 Merrion Square North, Cork, T12 W8KD now", "91 Merrion Square North, Cork, T12 W8KD"),
        ("IE: 113 Strand Road, Dublin 2, D02 X285.", "113 Strand Road, Dublin 2, D02 X285"),
        (
            "NZ: 295 Colombo Street, Riccarton, Christchurch 2092",
            "295 Colombo Street, Riccarton, Christchurch 2092",
        ),
        ("ZA: 23 Long Street, Gardens, Cape Town, 8001 is", "23 Long Street, Gardens, Cape Town, 8001"),
        (
            "AT: Währinger Gürtel 32 Stiege 2 Tür 7, 1060 Wien",
            "Währinger Gürtel 32 Stiege 2 Tür 7, 1060 Wien",
        ),
        ("AT: nach Landstraßer Hauptstraße 76/5, 1030 Wien", "Landstraßer Hauptstraße 76/5, 1030 Wien"),
        ("CH: Im Sihlfeld 12a, CH-8003 Zürich", "Im Sihlfeld 12a, CH-8003 Zürich"),
        ("CH: Via Nassa 5, 6900 Lugano", "Via Nassa 5, 6900 Lugano"),
        ("BE: Wetstraat 16 bus 3, 1040 Brussel", "Wetstraat 16 bus 3, 1040 Brussel"),
        (
            "BE: Chaussée de Charleroi 185 bte 12, B-1060 Bruxelles",
            "Chaussée de Charleroi 185 bte 12, B-1060 Bruxelles",
        ),
        ("Wohnhaft Hauptstraße 92, 10115 Berlin, Steuer-ID 65 929 970 489", "Hauptstraße 92, 10115 Berlin"),
        ("Bitte liefern Sie an Linzer Gasse 145/5, 4880 Wien", "Linzer Gasse 145/5, 4880 Wien"),
        ("Livraison au Rue de la Loi 29, 1742 Antwerpen", "Rue de la Loi 29, 1742 Antwerpen"),
        ("Livraison au 94, Grand-Rue, L-5963 Differdange", "94, Grand-Rue, L-5963 Differdange"),
        ("LU: 109, Grand-Rue, L-2428 Luxembourg", "109, Grand-Rue, L-2428 Luxembourg"),
        ("PT: Rua Augusta, 45, 3.º Esq., 1100-048 Lisboa", "Rua Augusta, 45, 3.º Esq., 1100-048 Lisboa"),
        (
            "MX: Av. Universidad 2023, Depto. 302, Col. Centro, 06060 Ciudad de México",
            "Av. Universidad 2023, Depto. 302, Col. Centro, 06060 Ciudad de México",
        ),
        (
            "AR: Av. Corrientes 1234, Piso 5, C1043AAZ Rosario",
            "Av. Corrientes 1234, Piso 5, C1043AAZ Rosario",
        ),
        ("CL: Av. Providencia 1234, Depto. 501 y", "Av. Providencia 1234, Depto. 501"),
        ("SK: Mlynské nivy 59A, 821 09 Bratislava", "Mlynské nivy 59A, 821 09 Bratislava"),
        ("DK: Strandvejen 78, 3. tv, DK-2900 Hellerup", "Strandvejen 78, 3. tv, DK-2900 Hellerup"),
        ("DK: Søndergade 87, st. th, 2042 Hellerup", "Søndergade 87, st. th, 2042 Hellerup"),
        ("GR: Λεωφόρος Κηφισίας 30, 106 79 Αθήνα", "Λεωφόρος Κηφισίας 30, 106 79 Αθήνα"),
        ("IL: רחוב דיזנגוף 50, תל אביב 6433222", "רחוב דיזנגוף 50, תל אביב 6433222"),
        (
            "SG: Blk 114 Ang Mo Kio Avenue 3 #16-917, Singapore 560114",
            "Blk 114 Ang Mo Kio Avenue 3 #16-917, Singapore 560114",
        ),
        (
            "PH: 240 Rizal Street, Brgy. San Antonio, Makati City 1203",
            "240 Rizal Street, Brgy. San Antonio, Makati City 1203",
        ),
        (
            "TH: 99/9 ถนนสุขุมวิท แขวงคลองเตย เขตคลองเตย กรุงเทพมหานคร 10110",
            "99/9 ถนนสุขุมวิท แขวงคลองเตย เขตคลองเตย กรุงเทพมหานคร 10110",
        ),
        (
            "TH: 99/9 Sukhumvit Road, Khlong Toei, Bangkok 10110",
            "99/9 Sukhumvit Road, Khlong Toei, Bangkok 10110",
        ),
        ("VN: 147/3 đường Trần Hưng Đạo, Quận 4, Hà Nội", "147/3 đường Trần Hưng Đạo, Quận 4"),
        ("VN: 33 Trần Hưng Đạo, Phường Bến Nghé, Quận 2", "33 Trần Hưng Đạo, Phường Bến Nghé, Quận 2"),
    ] {
        assert_eq!(found(text), address, "{text}");
    }
}

#[test]
fn look_alikes_are_none() {
    for text in [
        "ICE 19:15 10        7575    King Street - Main Road",
        "Redistribution and use are permitted. Acme, 345 Park Avenue, San Jose, California 95110",
        "Send a letter to Creative Commons, PO Box 1866, Mountain View, CA 94042, USA",
        "a copy of the General Public License from Acme, 12 Elm Street, Derby DE1 1AA",
        "3 Google Drive accounts",
        "2 First Place medals",
        "Wall Street fell 3 %",
        "Via Rail runs",
        "en rue 3",
        "step 4 Way out",
        "the Street",
        "Weg 5",
        "auf dem Weg 5 Leute",
        "Al 3 Tests",
        "12 street lights",
        "v1.2 Road",
        "Platz 5 im Rennen",
        "section 3 rue",
        "2016 Iain Lane",
        "via HTTP 2",
        "via TCP 443, 10000 Packets",
        "Free Software Foundation, Inc., 59 Temple Place, Suite 330, Boston, MA 02111",
        "Free Software Foundation, Inc., 51 Franklin Street, Fifth Floor",
        "Version 14, 10000 Rows",
        "Table 3, Figure 12345",
        "March 14, 20000 People",
        "1, 2, 12345, 6",
        "New York, NY 10001",
        "Windows 10, 19045",
        "9640\tSQUARE WITH FILL",
        "tuple!(0 AN AV 1 BN BV 2 CN CV 3)",
        "1994-1996, Thomas G. Lane.\n  2013, Linaro Limited.\n  2014-2015, 2017",
        "Copyright 1998-2022 The Foundation.\n Copyright 1999 PM Lashley",
        "1998-2003 VIA Technologies",
        "press CTRL-V u 9900",
        "without focus. (Jonathon Mah, 2009 Jan 12)",
        "0065FDA3 409451DC AB0A0EAD 45495112 A3D813C1",
        "Mg 14.7 (LN 50-150), Sodio",
        "at 3 First Place",
        "",
    ] {
        assert_eq!(found(text), "", "{text}");
    }
}
